package io.tenure.redis.cases;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Something that a case does on a thread of its own, and what came of it. */
final class Doing<T> {
    private static final long PATIENCE_SECONDS = 60;

    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Thread thread;
    private volatile long doneAt;
    private volatile boolean interruptedAtTheEnd;

    private Doing(Callable<T> what) {
        thread = new Thread(() -> {
            try {
                T result = what.call();
                end();
                outcome.complete(result);
            } catch (Throwable t) { // the case judges it, whatever it is
                end();
                outcome.completeExceptionally(t);
            }
        });
        thread.setDaemon(true);
    }

    static <T> Doing<T> of(Callable<T> what) {
        Doing<T> doing = new Doing<>(what);
        doing.thread.start();
        return doing;
    }

    private void end() {
        doneAt = System.nanoTime();
        interruptedAtTheEnd = Thread.currentThread().isInterrupted();
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean isOver() {
        return outcome.isDone();
    }

    boolean hasFailed() {
        return outcome.isCompletedExceptionally();
    }

    /** When it was over, by {@link System#nanoTime()}. */
    long doneAt() {
        return doneAt;
    }

    boolean wasInterruptedAtTheEnd() {
        return interruptedAtTheEnd;
    }

    T result() {
        try {
            return outcome.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("is not over; its thread is " + thread.getState(), e);
        }
    }

    Throwable failure() {
        try {
            throw new AssertionError(
                    "should have failed, but returned " + outcome.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("is not over; its thread is " + thread.getState(), e);
        }
    }
}
