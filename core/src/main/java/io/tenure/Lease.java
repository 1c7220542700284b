package io.tenure;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * What one can see of a lease that one holds. Thread-safe; no method does I/O.
 *
 * <p>All of it is this process's own view. A process that is stopped and resumed finds {@code isHeld()} false at its
 * first look, but it can be stopped again right after the look: only a {@link Fence} closes that window.
 */
public interface Lease {
    /** The name of the lease, in the store's canonical form. */
    String name();

    /** The id of its holder: the {@link Tenure}'s for a term, one of its own for a lock. */
    String holder();

    /** Its fencing token: positive, below 2^53, and higher than that of every earlier lease of this name. */
    long token();

    /** Whether it is held, judged by the monotonic clock at this moment against the deadline, never by a flag alone. */
    boolean isHeld();

    /** Time left until the local deadline; zero when over. */
    Duration remaining();

    /**
     * Makes sure that it is held, as {@link #isHeld()} would tell.
     *
     * @throws LeaseLostException when the lease is not held any more
     */
    void requireHeld();

    /**
     * For the moment before a step that cannot be undone.
     *
     * @throws LeaseLostException when the lease is not held any more, or for less than {@code atLeast} without a renewal
     */
    void requireRemaining(Duration atLeast);

    /**
     * Completes exactly once, with the reason, on the callbacks executor of the {@link Tenure}. Asked for after the end, as
     * by work that was interrupted, it is complete.
     */
    CompletionStage<EndReason> ended();
}
