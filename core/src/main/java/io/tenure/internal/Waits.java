package io.tenure.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Blocking for what is bounded by a machine's own timers. */
final class Waits {
    private Waits() {}

    /** Waits for {@code future} whatever happens; an interrupt is kept for the caller. What it failed with is thrown. */
    static <T> T uninterruptibly(CompletableFuture<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static <T> T interruptibly(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw rethrown(e);
        }
    }

    private static RuntimeException rethrown(ExecutionException e) {
        Throwable cause = Failures.unwrapped(e);
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }
}
