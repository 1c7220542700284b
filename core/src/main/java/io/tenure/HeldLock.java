package io.tenure;

import java.util.concurrent.CompletionStage;

/**
 * A lock that was acquired. The handle is the identity: any thread may release it, and nobody without it can. Thread-safe.
 *
 * <p>{@link #refresh()} and {@link #release()} block for bounded times; an interrupt does not end the wait, and is kept.
 * The asynchronous twins complete on the callbacks executor of the {@link Tenure}, and their stages fail with what the
 * others throw.
 */
public interface HeldLock extends Lease, AutoCloseable {
    /**
     * Extends the lease by its ttl from now. Not needed with {@link LockOptions.Builder#renewed() renewal}; does not reach
     * beyond {@link LockOptions#maxHold()}.
     *
     * @throws LeaseLostException when it is no longer owned; the lease is over
     * @throws StoreException when the store failed or did not answer within a third of the ttl; the lease may have been
     *     extended, but is counted as before
     */
    void refresh();

    /** As {@link #refresh()}, without waiting. */
    CompletionStage<Void> refreshAsync();

    /**
     * Gives the lock back. {@link #isHeld()} is false from the call on, and nothing is sent for it after this returned.
     * Waits for the store for the ttl or 2 s, whichever is shorter.
     *
     * @throws LeaseLostException when it had been lost or released already ({@link LeaseLostException#reason()} tells
     *     which): after a loss, exclusion may have been violated meanwhile
     * @throws StoreException when the store failed or did not answer; the lease then ends by its ttl at the latest
     */
    void release();

    /** As {@link #release()}, without waiting. */
    CompletionStage<Void> releaseAsync();

    /** As {@link #release()}, but never throws and is silent about loss; what goes wrong is an event. Idempotent. */
    @Override
    void close();
}
