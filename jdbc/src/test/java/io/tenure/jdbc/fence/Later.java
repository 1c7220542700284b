package io.tenure.jdbc.fence;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** What a test does on a thread of its own, since it is going to wait for a lock. */
final class Later<T extends @Nullable Object> {
    private static final int PATIENCE_SECONDS = 30;

    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Thread thread;

    private Later(Callable<T> what) {
        thread = new Thread(() -> {
            try {
                outcome.complete(what.call());
            } catch (Throwable t) { // the test's to judge
                outcome.completeExceptionally(t);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    static <T extends @Nullable Object> Later<T> of(Callable<T> what) {
        return new Later<>(what);
    }

    /** Of something without a result. */
    static Later<Boolean> doing(ThrowingCallable what) {
        return new Later<>(() -> {
            try {
                what.call();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
            return true;
        });
    }

    boolean isOver() {
        return outcome.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** What came of it: the result, or what was thrown. */
    T join() throws Exception {
        try {
            return outcome.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        } catch (TimeoutException e) {
            AssertionError hangs = new AssertionError("still not over after " + PATIENCE_SECONDS + " s", e);
            hangs.setStackTrace(thread.getStackTrace());
            throw hangs;
        }
    }
}
