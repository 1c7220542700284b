package io.tenure;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * What one can see of a lease that one holds. Thread-safe; no method does I/O or blocks.
 *
 * <p>The local deadline is the moment at which the request that last extended the lease was <em>sent</em>, plus its ttl:
 * no later than the store's own. All of it is this process's own view. A process that is stopped and resumed finds
 * {@code isHeld()} false at its first look, but it can be stopped again right after the look: only a {@link Fence} closes
 * that window.
 */
public interface Lease {
    /** The name of the lease, in the store's canonical form. */
    String name();

    /** The id of its holder: the {@link Tenure}'s for a term, one of its own for a lock. */
    String holder();

    /**
     * Its fencing token: positive, below 2^53, the same for the whole lease, and higher than that of every earlier lease
     * of this name; the exceptions, all of them stores that lost data, are in docs/guarantees.md and law 6. To be sent along
     * with every write, for a {@link Fence} to check.
     */
    long token();

    /** Whether it is held, judged by the monotonic clock at this moment against the deadline, never by a flag alone. */
    boolean isHeld();

    /** Time left until the local deadline, exact to the clock's resolution; zero when over, never negative. */
    Duration remaining();

    /**
     * Makes sure that it is held, as {@link #isHeld()} would tell.
     *
     * @throws LeaseLostException when the lease is not held any more, telling why
     */
    void requireHeld();

    /**
     * For the moment before a step that cannot be undone: makes sure that it is held, and for {@code atLeast} longer should
     * no renewal succeed. Just before a renewal, a lease has two thirds of its ttl left, by default.
     *
     * @throws LeaseLostException when the lease is not held any more, or for less than {@code atLeast} without a renewal
     */
    void requireRemaining(Duration atLeast);

    /**
     * Completes exactly once, with the reason, on the callbacks executor of the {@link Tenure}; no later than the local
     * deadline, but for the pauses of this process. Never fails. Asked for after the end, as by work that was interrupted,
     * it is complete, and what is added to it then runs on the thread that adds it.
     */
    CompletionStage<EndReason> ended();
}
