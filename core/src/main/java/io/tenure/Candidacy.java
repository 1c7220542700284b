package io.tenure;

/** One instance's standing for election, from {@link Elector#campaign()} until it is closed. Thread-safe. */
public interface Candidacy extends AutoCloseable {
    /**
     * Waits, without bound, until the candidacy has ended and its last event was delivered, and tells why it ended:
     * {@link EndReason#CLOSED}, or {@link EndReason#DENIED} when the store refused the first attempt for good. Terms that
     * end in between do not end it. An {@link Error} that the work threw is rethrown.
     *
     * @throws IllegalStateException from inside the work or an observer, for whose end it would wait
     * @throws InterruptedException when the waiting thread was interrupted; the candidacy goes on
     */
    EndReason awaitEnd() throws InterruptedException;

    /**
     * Ends the term, waits for the work (at most {@link ElectorOptions#drainTimeout()}), releases and leaves the line.
     * Work that takes longer is left behind with its token burnt, so that its fenced writes are refused. A release that
     * fails is an event, and the lease then ends by its ttl. From inside the work, or an observer, it does not wait; an
     * interrupt does not end the wait, and is kept. Idempotent; never throws.
     */
    @Override
    void close();
}
