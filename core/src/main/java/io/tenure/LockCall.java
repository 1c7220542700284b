package io.tenure;

import org.jspecify.annotations.Nullable;

/**
 * An operation with a result that runs while a lock is held. Called once for each acquisition, on the thread that called
 * {@link LeaseLock#call(LockCall)} or one of its kin.
 *
 * @param <T> its result
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LockCall<T extends @Nullable Object, X extends Exception> {
    /**
     * Does it. The thread is interrupted when the lease is lost, unless the lock is {@code signalOnly}.
     *
     * @param held the lease it is done under
     * @return what the caller gets; {@link LeaseLock#callIfFree} gives empty for null
     * @throws X what the caller is thrown, after the release
     */
    T call(Lease held) throws X;
}
