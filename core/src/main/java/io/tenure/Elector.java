package io.tenure;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Stands for election to one role, for as long as wanted. One per name and {@link Tenure}. Thread-safe.
 *
 * <p>At most one candidacy at a time: starting a second one is an {@link IllegalStateException}, one after the other is
 * fine.
 */
public interface Elector {
    /** The name of the role, in the store's canonical form. */
    String name();

    /**
     * Stands for election and runs {@code work} during every term, on a thread of its own; blocks until interrupted or
     * closed, and then until the work has ended (at most {@link ElectorOptions#drainTimeout()}) and the lease is released.
     * Returns normally when the {@link Tenure} was closed.
     *
     * @throws InterruptedException when the calling thread was interrupted; the term, if any, has been ended
     * @throws StoreException when the first attempt was refused for good
     */
    void run(LeaderWork work) throws InterruptedException;

    /**
     * Stands for election in the background, on daemon threads, and runs {@code work} during every term. Waits for the answer to the first
     * attempt, at most {@link ElectorOptions#retryEvery()} or one second, whichever is longer.
     *
     * @throws StoreException when the first attempt was refused for good
     */
    Candidacy campaign(LeaderWork work);

    /** Stands for election in the background without work of its own: act by {@link #term()} or {@link #token()}. */
    Candidacy campaign();

    /** The present term; empty when this instance does not lead, judged by the clock at this moment. */
    Optional<Term> term();

    /** The present term's token: what a writer should use, since the fence checks it at the write. */
    OptionalLong token();

    /** Whether this instance leads. For display only: leadership can end right after the look. */
    boolean isLeader();

    /** Who leads, as last seen; {@link LeaseRecord#age()} tells when. Empty before the first answer of the store. */
    Optional<LeaseRecord> leader();

    /** Ends the present term, as {@link Term#resign()}; without effect when this instance does not lead. */
    void resign();
}
