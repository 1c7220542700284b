package io.tenure.spi;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/**
 * The base of stores whose client blocks. Every verb runs on one of a bounded number of threads, and waits for one in a
 * bounded queue; when that is full the verb fails at once, since an answer that comes after the lease's deadline helps
 * nobody. Threads end when they have been idle for 30 s. A subclass may have calls whose callers wait for them done by those
 * ({@link #submit(String, Callable, Executor)}). Thread-safe when the verbs of the subclass are.
 *
 * <p>Cancelling the stage of a call that still waits takes the call back. One that is running is not interrupted, since
 * few clients survive that: the subclass gives its client a time-out of its own. Stages complete on the threads of the
 * store, or that of the caller who waits.
 */
public abstract class BlockingLeaseStore implements LeaseStore {
    /** So many renewals are done one after another on one thread, before a second one takes the next so many. */
    private static final int BATCH = 100;

    private final BoundedCalls calls;

    /**
     * A store with threads of its own.
     *
     * @param threads makes the threads; those of a library should be daemons
     * @param maxThreads how many calls may run at once, at least 1: no more than the client has connections
     * @param maxQueued how many calls may wait for a thread, at least 1; a batch of up to 100 renewals is one call
     * @throws IllegalArgumentException when one of the numbers is below 1
     */
    protected BlockingLeaseStore(ThreadFactory threads, int maxThreads, int maxQueued) {
        Objects.requireNonNull(threads, "threads");
        if (maxThreads < 1 || maxQueued < 1) {
            throw new IllegalArgumentException(
                    "maxThreads is " + maxThreads + " and maxQueued is " + maxQueued + ": both have to be at least 1");
        }
        calls = new BoundedCalls(threads, maxThreads, maxQueued);
    }

    /**
     * {@link LeaseStore#acquire}, blocking.
     *
     * @throws Exception what the client threw; {@link #translate} says what it means
     */
    protected abstract Acquisition acquireNow(LeaseRequest request) throws Exception;

    /**
     * {@link LeaseStore#renew} of one claim, blocking.
     *
     * @throws Exception as {@link #acquireNow}
     */
    protected abstract Renewal renewNow(RenewRequest request) throws Exception;

    /**
     * {@link LeaseStore#release}, blocking.
     *
     * @throws Exception as {@link #acquireNow}
     */
    protected abstract boolean releaseNow(ReleaseRequest request) throws Exception;

    /**
     * {@link LeaseStore#find}, blocking.
     *
     * @throws Exception as {@link #acquireNow}
     */
    protected abstract Optional<LeaseRecord> findNow(String name) throws Exception;

    /**
     * {@link LeaseStore#list}, blocking.
     *
     * @throws Exception as {@link #acquireNow}
     */
    protected abstract List<LeaseRecord> listNow(String prefix, int limit) throws Exception;

    /**
     * {@link LeaseStore#evict}, blocking.
     *
     * @throws Exception as {@link #acquireNow}
     */
    protected abstract boolean evictNow(LeaseRecord seen) throws Exception;

    /**
     * Says what an exception of the client means. One that already is a {@link StoreException} is not asked about.
     *
     * @param name the lease that the call was about, for the message
     * @return transient when trying again can help without anybody mending anything
     */
    protected abstract StoreException translate(String name, Exception cause);

    /**
     * Runs {@code call} on one of the store's threads.
     *
     * @param name the lease that the call is about, for messages
     * @return completes with the result or, in every other case than cancellation, with a {@link StoreException}
     */
    protected final <T> CompletionStage<T> submit(String name, Callable<T> call) {
        PendingCall<T> pending = pending(name, call);
        submitAll(List.of(pending));
        return pending;
    }

    /**
     * The same on a thread that waits for the result, or, when that cannot be had any more, on one of the store's. What a
     * data source or a client remembers by thread is then that of the caller.
     *
     * @param call one that finds that it should not be on that thread throws a {@link RejectedExecutionException} before it
     *     has done anything, and is called again on one of the store's
     * @param waiting as in {@link LeaseStore#acquire(LeaseRequest, Executor)}
     */
    protected final <T> CompletionStage<T> submit(String name, Callable<T> call, Executor waiting) {
        PendingCall<T> pending = pending(name, call);
        if (calls.isClosed()) {
            pending.fail(closed(name));
            return pending;
        }
        try {
            waiting.execute(() -> runOrSubmit(pending));
        } catch (RejectedExecutionException e) {
            submitAll(List.of(pending));
        }
        return pending;
    }

    private void runOrSubmit(PendingCall<?> pending) {
        try {
            pending.runUnlessRejected();
        } catch (RejectedExecutionException e) {
            submitAll(List.of(pending));
        }
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        return submit(request.claim().name(), () -> acquireNow(request));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Calls {@link #renewNow} for one claim after another; a store that can do better in one statement overrides this.
     */
    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        List<PendingCall<Renewal>> all = new ArrayList<>(requests.size());
        requests.forEach(request -> all.add(pending(request.claim().name(), () -> renewNow(request))));
        for (int from = 0; from < all.size(); from += BATCH) {
            submitAll(all.subList(from, Math.min(all.size(), from + BATCH)));
        }
        return List.copyOf(all);
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        return submit(request.claim().name(), () -> releaseNow(request));
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> find(String name) {
        return submit(name, () -> findNow(name));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
        return submit(prefix, () -> listNow(prefix, limit));
    }

    @Override
    public CompletionStage<Boolean> evict(LeaseRecord seen) {
        return submit(seen.name(), () -> evictNow(seen));
    }

    /**
     * Refuses every call from now on, fails those that still wait, and lets the threads end as soon as the calls that run
     * have returned, without waiting for them. Overrides end with {@code super.close()}. Idempotent.
     */
    @Override
    public void close() {
        calls.close().forEach(pending -> pending.fail(closed(pending.name())));
    }

    private <T> PendingCall<T> pending(String name, Callable<T> call) {
        return new PendingCall<>(name, call, cause -> translate(name, cause));
    }

    private void submitAll(List<? extends PendingCall<?>> batch) {
        try {
            calls.submit(batch);
        } catch (RejectedExecutionException e) {
            batch.forEach(pending -> pending.fail(calls.isClosed() ? closed(pending.name()) : full(pending.name(), e)));
        }
    }

    private static StoreException closed(String name) {
        return StoreException.permanent("The store was asked about '" + name + "' but is closed: open another one.");
    }

    private static StoreException full(String name, RejectedExecutionException cause) {
        return StoreException.passing(
                "The store could not take on the call for '" + name
                        + "': all its threads are busy and its queue is full. The server is slow, or it needs more threads and"
                        + " connections.",
                cause);
    }
}
