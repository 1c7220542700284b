package io.tenure.spi;

import io.tenure.StoreException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call of a {@link BlockingLeaseStore}, and the stage that its caller has. */
final class PendingCall<T> extends CompletableFuture<T> {
    private final String name;
    private final Callable<T> call;
    private final Function<Exception, StoreException> translate;
    private volatile @Nullable Runnable onCancel;

    PendingCall(String name, Callable<T> call, Function<Exception, StoreException> translate) {
        this.name = name;
        this.call = call;
        this.translate = translate;
    }

    String name() {
        return name;
    }

    void onCancel(Runnable task) {
        onCancel = task;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Runnable task = onCancel;
        if (cancelled && task != null) {
            task.run();
        }
        return cancelled;
    }

    /** Does the call, unless its caller has given it up. */
    void run() {
        try {
            runUnlessRejected();
        } catch (RejectedExecutionException e) {
            fail(translated(e));
        }
    }

    /**
     * The same.
     *
     * @throws RejectedExecutionException when that is what the call threw, which is not over then
     */
    void runUnlessRejected() {
        if (isDone()) {
            return;
        }
        try {
            complete(call.call());
        } catch (StoreException e) {
            fail(e);
        } catch (RejectedExecutionException e) {
            throw e;
        } catch (Exception e) {
            fail(translated(e));
        } catch (Error e) {
            // not thrown on: the calls behind it in its batch still have to be answered
            fail(StoreException.permanent("The call for '" + name + "' ended with an error: " + e, e));
        }
    }

    void fail(StoreException cause) {
        completeExceptionally(cause);
    }

    private StoreException translated(Exception cause) {
        try {
            return translate.apply(cause);
        } catch (RuntimeException e) {
            e.addSuppressed(cause);
            return StoreException.passing("The call for '" + name + "' failed, and nobody could tell why: " + cause, e);
        }
    }
}
