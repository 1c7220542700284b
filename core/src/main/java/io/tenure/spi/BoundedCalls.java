package io.tenure.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A bounded number of threads in front of a bounded queue. */
final class BoundedCalls {
    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor executor;

    BoundedCalls(ThreadFactory threads, int maxThreads, int maxQueued) {
        executor = new ThreadPoolExecutor(
                maxThreads, maxThreads, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(maxQueued), threads);
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs {@code batch}, one call after another.
     *
     * @throws java.util.concurrent.RejectedExecutionException when there is no room, or no store any more
     */
    void submit(List<? extends PendingCall<?>> batch) {
        Batch task = new Batch(List.copyOf(batch));
        batch.forEach(call -> call.onCancel(() -> dropIfAbandoned(task)));
        executor.execute(task);
    }

    boolean isClosed() {
        return executor.isShutdown();
    }

    /** Returns the calls that will not run. */
    List<PendingCall<?>> close() {
        executor.shutdown();
        List<Runnable> waiting = new ArrayList<>();
        executor.getQueue().drainTo(waiting);
        return waiting.stream()
                .map(Batch.class::cast)
                .<PendingCall<?>>flatMap(batch -> batch.calls().stream())
                .toList();
    }

    /** What nobody waits for any more takes no place in the queue. */
    private void dropIfAbandoned(Batch task) {
        if (task.calls().stream().allMatch(PendingCall::isDone)) {
            executor.remove(task);
        }
    }

    /** Equal to another one only when it is the same, as the queue has to tell apart what it removes. */
    private static final class Batch implements Runnable {
        private final List<PendingCall<?>> calls;

        private Batch(List<PendingCall<?>> calls) {
            this.calls = calls;
        }

        List<PendingCall<?>> calls() {
            return calls;
        }

        @Override
        public void run() {
            calls.forEach(PendingCall::run);
        }
    }
}
