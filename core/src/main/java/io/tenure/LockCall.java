package io.tenure;

import org.jspecify.annotations.Nullable;

/**
 * An operation with a result that runs while a lock is held.
 *
 * @param <T> its result
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LockCall<T extends @Nullable Object, X extends Exception> {
    /** Does it. The thread is interrupted when the lease is lost, unless the lock is {@code signalOnly}. */
    T call(Lease held) throws X;
}
