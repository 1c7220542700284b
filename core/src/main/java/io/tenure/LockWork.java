package io.tenure;

/**
 * An operation that runs while a lock is held. Called once for each acquisition, on the thread that called
 * {@link LeaseLock#run(LockWork)} or one of its kin.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LockWork<X extends Exception> {
    /**
     * Does it. The thread is interrupted when the lease is lost, unless the lock is {@code signalOnly}.
     *
     * @param held the lease it is done under
     * @throws X what the caller is thrown, after the release
     */
    void run(Lease held) throws X;
}
