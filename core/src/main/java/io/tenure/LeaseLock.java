package io.tenure;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A lock for an operation: a cheap handle without state, to be kept or made anew at will. What {@code run} and {@code call}
 * hold is renewed; what the acquiring methods return lasts for one ttl, unless {@link LockOptions.Builder#renewed()} or
 * {@link HeldLock#refresh()} says otherwise. A lock and an election of one name exclude each other. Every acquisition has a holder
 * id of its own, so the lock is not re-entrant. Thread-safe.
 *
 * <p>Contention is a value; store trouble is a {@link StoreException}: while waiting, transient trouble is retried
 * within the budget and thrown only if the last attempt failed; permanent trouble is thrown at once. An acquire that was
 * interrupted, cancelled or ran out of time leaves nothing behind: it never both throws and holds.
 *
 * <p>All methods may throw {@link IllegalStateException} when the {@link Tenure} is closed.
 */
public interface LeaseLock {
    /** The name of the lock, in the store's canonical form. */
    String name();

    /** One attempt; empty at once when somebody has the lock, or others in this process wait for it. */
    Optional<HeldLock> tryAcquire();

    /**
     * Waits for up to {@code maxWait}, never longer and never giving up earlier; empty when somebody else still has it.
     *
     * @throws IllegalArgumentException when {@code maxWait} is negative
     */
    Optional<HeldLock> tryAcquire(Duration maxWait) throws InterruptedException;

    /** Waits until the lock is held, however long that takes. */
    HeldLock acquire() throws InterruptedException;

    /** As {@link #tryAcquire(Duration)}, without blocking; cancelling the stage's future leaves nothing behind. */
    CompletionStage<Optional<HeldLock>> tryAcquireAsync(Duration maxWait);

    /**
     * Runs {@code work} on this thread under the lock, after one attempt. The lease is renewed meanwhile, and released
     * whatever happens. When it is lost the thread is interrupted (unless {@code signalOnly}); that interrupt never
     * outlives this call. An interrupt by others that came before the loss is kept. One that comes between the loss and the
     * end of {@code work} cannot be told from ours, a thread having one flag only, and may end with it: who must not miss
     * it uses {@code signalOnly}.
     *
     * <p>What {@code work} throws is thrown; a loss or a failed release is then suppressed in it. An {@link
     * InterruptedException} that only our interrupt caused is the other way round: the loss is thrown.
     *
     * @throws LockNotAcquiredException when the lock was not to be had; {@code work} has not run
     * @throws LeaseLostException when the lease was lost although {@code work} succeeded
     * @throws StoreException when the lock could not be acquired, or not be released
     */
    <X extends Exception> void run(LockWork<X> work) throws X;

    /** As {@link #run(LockWork)}, waiting for up to {@code maxWait}. */
    <X extends Exception> void run(Duration maxWait, LockWork<X> work) throws X, InterruptedException;

    /** As {@link #run(LockWork)}, with a result. */
    <T extends @Nullable Object, X extends Exception> T call(LockCall<T, X> work) throws X;

    /** As {@link #call(LockCall)}, waiting for up to {@code maxWait}. */
    <T extends @Nullable Object, X extends Exception> T call(Duration maxWait, LockCall<T, X> work)
            throws X, InterruptedException;

    /** As {@link #run(LockWork)}, but false, instead of an exception, when somebody else has the lock. */
    <X extends Exception> boolean runIfFree(LockWork<X> work) throws X;

    /** As {@link #call(LockCall)}, but empty, instead of an exception, when somebody else has the lock. */
    <T, X extends Exception> Optional<T> callIfFree(LockCall<T, X> work) throws X;
}
