package io.tenure.spi;

import io.tenure.LeaseRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Where leases live. Called by the engine on any thread, several at a time.
 *
 * <p>Duties: decide by the server's clock, never by the client's; mint the token in the same atomic step as the grant;
 * guard renewals and releases by the whole claim; never retry; fail only with {@link io.tenure.StoreException}, through
 * the stage; be thread-safe; keep no state per lease. The laws are tests: {@code LeaseStoreContract} in the test kit. No
 * method but {@link #close()} blocks; the engine bounds every call, and cancels the stage's future of one that it abandons,
 * after which the store should not send it any more.
 *
 * <p>A stage may complete on any thread. The engine does little there, and runs no user code on it.
 */
public interface LeaseStore extends AutoCloseable {

    /**
     * The form of {@code name} under which this store keeps it. Names with one canonical form are one lease.
     *
     * @throws IllegalArgumentException when this store cannot keep the name, telling why
     */
    default String canonicalName(String name) {
        return name;
    }

    /** Says where to report; called once, before anything else. What a store reports without a listener is lost. */
    default void listen(StoreListener listener) {}

    /**
     * Grants the lease when it is free, and mints a token: one above the store's counter, its mark, the request's floor
     * and, unless the store counts from 1, the server's clock in microseconds; in the same step the mark is raised to it.
     *
     * <p>A repeated attempt whose claim still holds gets its token again and a fresh ttl.
     *
     * @return who has it: the contender, or somebody else. Fails with a transient {@link io.tenure.StoreException} when the
     *     lease may have been granted, with a permanent one when it was not
     */
    CompletionStage<Acquisition> acquire(LeaseRequest request);

    /**
     * The same for a caller whose thread waits for the answer. A store whose client blocks may do the call on that thread,
     * which saves the way to one of its own and back. Unless it says otherwise a store does not.
     *
     * @param waiting runs one task on the waiting thread, once this has returned; rejects it when that thread waits already,
     *     and the store has to use one of its own
     */
    default CompletionStage<Acquisition> acquire(LeaseRequest request, Executor waiting) {
        return acquire(request);
    }

    /**
     * Extends leases, each with its own fate, in the order of {@code requests}. A claim that does not hold any more, or
     * whose token counter or mark has passed, is lost. A counter or mark that is missing or lower is restored from the claim.
     *
     * @return as many stages as requests; each fails on its own
     */
    List<CompletionStage<Renewal>> renew(List<RenewRequest> requests);

    /**
     * Ends a lease and wakes the longest-waiting waiter; false when there was nothing of this claim to release. A name that
     * stays taken for a while is announced for when that is over.
     */
    CompletionStage<Boolean> release(ReleaseRequest request);

    /** The same for a caller whose thread waits for the answer, as {@link #acquire(LeaseRequest, Executor)}. */
    default CompletionStage<Boolean> release(ReleaseRequest request, Executor waiting) {
        return release(request);
    }

    /** Who has {@code name}; empty when it is free. */
    CompletionStage<Optional<LeaseRecord>> find(String name);

    /**
     * Live leases whose canonical name starts with {@code prefix}, at most {@code limit}, ordered by name. Not a
     * consistent snapshot. May cost the store a scan of all its keys.
     */
    CompletionStage<List<LeaseRecord>> list(String prefix, int limit);

    /**
     * Ends by force exactly the lease that was seen, burns a token, and wakes the longest-waiting waiter; false when it
     * is not that lease any more.
     */
    CompletionStage<Boolean> evict(LeaseRecord seen);

    /** How waiters learn of releases. */
    default Wakeups wakeups() {
        return Wakeups.NONE;
    }

    /**
     * The shortest ttl of leases that this store can keep; zero when it keeps all. A store whose calls block for up to a
     * time-out says twice that, so that a renewal that hung is over in time for a second one; one that waits for replicas
     * says so that enough of a lease is left after that. Leases of a shorter ttl are refused where they are asked for. Always the same; does not ask the server.
     */
    default Duration shortestTtl() {
        return Duration.ZERO;
    }

    /** Lets go of what this store opened itself; may block for a short, bounded time. Idempotent; does not throw. */
    @Override
    void close();
}
