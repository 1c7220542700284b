package io.tenure;

/** One instance's standing for election, from {@link Elector#campaign()} until it is closed. Thread-safe. */
public interface Candidacy extends AutoCloseable {
    /**
     * Waits until the candidacy has ended, and tells why. An {@link Error} that the work threw is rethrown.
     *
     * @throws IllegalStateException from inside the work or an observer, for whose end it would wait
     * @throws InterruptedException when the waiting thread was interrupted; the candidacy goes on
     */
    EndReason awaitEnd() throws InterruptedException;

    /**
     * Ends the term, waits for the work (at most {@link ElectorOptions#drainTimeout()}), releases and leaves the line.
     * From inside the work, or an observer, it does not wait. Idempotent; never throws.
     */
    @Override
    void close();
}
