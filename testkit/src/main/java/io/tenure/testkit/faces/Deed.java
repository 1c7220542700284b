package io.tenure.testkit.faces;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Something that a test does on a thread of its own, and what came of it. */
final class Deed<T extends @Nullable Object> {
    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean interruptedAtTheEnd;

    private Deed(String name, Callable<T> what) {
        thread = new Thread(
                () -> {
                    try {
                        T result = what.call();
                        interruptedAtTheEnd = Thread.interrupted();
                        outcome.complete(result);
                    } catch (Throwable t) { // the outcome is the test's to judge, whatever it is
                        interruptedAtTheEnd = Thread.interrupted();
                        outcome.completeExceptionally(t);
                    }
                },
                name);
        thread.setDaemon(true);
    }

    static <T extends @Nullable Object> Deed<T> of(Callable<T> what) {
        Deed<T> deed = new Deed<>("deed", what);
        deed.thread.start();
        return deed;
    }

    /** As {@link #of}, returning once its thread waits for something. */
    static <T extends @Nullable Object> Deed<T> blocking(Callable<T> what) {
        Deed<T> deed = of(what);
        if (!Patience.until(Patience.FOR_THREADS, deed::isBlocked)) {
            throw new AssertionError("should wait, but is " + deed.thread.getState());
        }
        return deed;
    }

    private boolean isBlocked() {
        return thread.getState() == Thread.State.WAITING || isOver();
    }

    Thread thread() {
        return thread;
    }

    boolean isOver() {
        return outcome.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Whether its thread had the interrupt flag when it was done. */
    boolean wasInterruptedAtTheEnd() {
        return interruptedAtTheEnd;
    }

    /** What it returned. */
    T result() {
        try {
            return outcome.get(Patience.FOR_THREADS.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("is not over; its thread is " + thread.getState(), e);
        }
    }

    /** What it threw. */
    Throwable failure() {
        try {
            throw new AssertionError("should have failed, but returned "
                    + outcome.get(Patience.FOR_THREADS.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return requireNonNull(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("is not over; its thread is " + thread.getState(), e);
        }
    }
}
