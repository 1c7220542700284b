package io.tenure;

/**
 * An operation that runs while a lock is held.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LockWork<X extends Exception> {
    /** Does it. The thread is interrupted when the lease is lost, unless the lock is {@code signalOnly}. */
    void run(Lease held) throws X;
}
