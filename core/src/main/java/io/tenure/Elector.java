package io.tenure;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Stands for election to one role, for as long as wanted. One per name and {@link Tenure}. Thread-safe.
 *
 * <p>At most one candidacy at a time: starting a second one is an {@link IllegalStateException}, one after the other is
 * fine, once the work of the one before has really ended.
 *
 * <p>A candidacy survives what happens to its terms: when one ends, for whatever reason, it stands again. Store trouble
 * is an event and retried; only the first attempt's refusal for good is thrown. What is asked here ({@link #term()} to
 * {@link #leader()}) is answered from memory, without I/O, by the clock at the moment of the call.
 */
public interface Elector {
    /** The name of the role, in the store's canonical form. */
    String name();

    /**
     * Stands for election and runs {@code work} during every term, on a thread of its own; blocks until interrupted or
     * closed, and then until the work has ended (at most {@link ElectorOptions#drainTimeout()}) and the lease is released.
     * Returns normally when the {@link Tenure} was closed. An {@link Error} that the work threw is rethrown.
     *
     * @throws InterruptedException when the calling thread was interrupted; the term, if any, has been ended
     * @throws StoreException when the first attempt was refused for good, never for what may pass by itself
     * @throws IllegalStateException when a candidacy is under way, when the work of the last one has not ended although
     *     its drain timeout is over, or after {@link Tenure#close()}
     */
    void run(LeaderWork work) throws InterruptedException;

    /**
     * Stands for election in the background, and runs {@code work} during every term, on a thread of
     * {@link Tenure.Builder#workThreads}. Waits for the answer to the first attempt, at most
     * {@link ElectorOptions#retryEvery()} or one second, whichever is longer; an interrupt ends that wait, and is kept.
     *
     * @throws StoreException when the first attempt was refused for good within that wait; a later refusal is an event,
     *     and ends the candidacy with {@link EndReason#DENIED} when it is of the first attempt
     * @throws IllegalStateException as {@link #run}; after {@link Tenure#close()}, for one
     */
    Candidacy campaign(LeaderWork work);

    /**
     * Stands for election in the background without work of its own: act by {@link #term()} or {@link #token()}. The lease
     * is released as soon as a term ends: nothing is waited for.
     *
     * @throws StoreException as {@link #campaign(LeaderWork)}
     * @throws IllegalStateException as {@link #run}; after {@link Tenure#close()}, for one
     */
    Candidacy campaign();

    /**
     * The present term; empty when this instance does not lead, judged by the clock at this moment. It appears once all
     * fences of {@link ElectorOptions.Builder#claims} are claimed.
     */
    Optional<Term> term();

    /**
     * The present term's token: what a writer should use, since the fence checks it at the write. Empty when this instance
     * does not lead.
     */
    OptionalLong token();

    /** Whether this instance leads. For display only: leadership can end right after the look. */
    boolean isLeader();

    /** Who leads, as last seen; {@link LeaseRecord#age()} tells when. Empty before the first answer of the store. */
    Optional<LeaseRecord> leader();

    /** Ends the present term, as {@link Term#resign()}; without effect when this instance does not lead. */
    void resign();
}
