package io.tenure.internal;

import io.tenure.Timeline;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where results complete: by the user's executor, or by a thread of the Tenure's own when that refuses. One that was shut
 * down, or is full, must neither keep holders from learning of their loss, nor bring users' code onto a store's thread,
 * which every lease needs.
 */
public final class Callbacks {
    private final Executor executor;
    private final Timeline.Background own;
    private final Runnable onClose;
    /** Tasks to come, and one more until this is closed: what was announced before the end still finds a thread. */
    private final AtomicInteger expected = new AtomicInteger(1);

    /**
     * @param executor the user's, or {@code own}
     * @param own takes what the user's refuses; ends with the {@code Tenure}
     * @param onClose what else to end with the {@code Tenure}
     */
    public Callbacks(Executor executor, Timeline.Background own, Runnable onClose) {
        this.executor = executor;
        this.own = own;
        this.onClose = onClose;
    }

    /** One {@link #execute} follows. */
    void announce() {
        expected.incrementAndGet();
    }

    /** Runs what was announced. */
    void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RuntimeException | Error e) {
            runOnOwn(task);
        } finally {
            leave();
        }
    }

    private void runOnOwn(Runnable task) {
        try {
            own.execute(task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // Announced after the end of the last lease, by the user's thread, which asked just now; or there is no
            // thread,
            // and an outcome that is told here is better than one that is never told.
            task.run();
        }
    }

    void close() {
        leave();
    }

    private void leave() {
        if (expected.decrementAndGet() <= 0) {
            own.close();
            onClose.run();
        }
    }
}
