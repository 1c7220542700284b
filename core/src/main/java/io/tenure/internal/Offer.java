package io.tenure.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread that is about to wait for an answer of the store, and could ask the store itself meanwhile. What it is given it
 * does after it has posted what it waits for: never inside a machine, which goes on hearing others. Takes one call.
 */
final class Offer implements Executor {
    private final AtomicReference<@Nullable Runnable> call = new AtomicReference<>();

    /** @throws RejectedExecutionException when this has a call already, or waits by now */
    @Override
    public void execute(Runnable task) {
        if (!call.compareAndSet(null, task)) {
            throw new RejectedExecutionException("the thread has begun to wait");
        }
    }

    /** Does the call that this was given, on the thread that made the offer. Nothing is taken any more. */
    void serve() {
        Runnable task = call.getAndSet(Offer::nothing);
        if (task != null) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                Uncaught.report(e); // the answer is the call's own affair, and may have come all the same
            }
        }
    }

    /** In the place of a call, so that none is taken. */
    private static void nothing() {}
}
