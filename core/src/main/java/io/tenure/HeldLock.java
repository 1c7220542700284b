package io.tenure;

import java.util.concurrent.CompletionStage;

/**
 * A lock that was acquired. The handle is the identity: any thread may release it. Thread-safe.
 */
public interface HeldLock extends Lease, AutoCloseable {
    /**
     * Extends the lease by its ttl from now. Not needed with {@link LockOptions.Builder#renewed() renewal}.
     *
     * @throws LeaseLostException when it is no longer owned
     * @throws StoreException when the store failed or did not answer within a third of the ttl; the lease may have been
     *     extended, but is counted as before
     */
    void refresh();

    /** As {@link #refresh()}, without waiting. */
    CompletionStage<Void> refreshAsync();

    /**
     * Gives the lock back. {@link #isHeld()} is false from the call on, and nothing is sent for it after this returned.
     *
     * @throws LeaseLostException when it had been lost or released already: exclusion may have been violated meanwhile
     * @throws StoreException when the store failed or did not answer; the lease then ends by its ttl at the latest
     */
    void release();

    /** As {@link #release()}, without waiting. */
    CompletionStage<Void> releaseAsync();

    /** Releases, but never throws and is silent about loss; what goes wrong is an event. Idempotent. */
    @Override
    void close();
}
