package io.tenure;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * Time as an argument: the monotonic clock, the timers that go off by it, and the threads that run beside the callers,
 * from one object, so that a test moves all of them together. Thread-safe.
 *
 * <p>The wall clock is not part of it: nothing in Tenure depends on it.
 */
public interface Timeline extends AutoCloseable {

    /** The reading of the monotonic clock, in nanoseconds since an arbitrary origin; only differences mean something. */
    long nanos();

    /**
     * Runs {@code task} once, on the timer's thread, when the clock reads {@code at}; as soon as possible when it reads
     * more. A task may go off up to {@code slack} nanoseconds early, together with another one that is due, so that what
     * falls due close together is done together. The task must not block.
     */
    Timer schedule(long at, long slack, Runnable task);

    /**
     * An executor that runs its tasks one after another, in order, on a thread of its own named {@code name}. What a task
     * throws goes to the thread's uncaught exception handler.
     */
    Background background(String name);

    /**
     * Waits until {@code answer} is complete, in any way. Time that is moved by hand returns at once, since nothing can
     * arrive while the thread that moves it waits.
     *
     * @throws InterruptedException when the waiting thread was interrupted
     */
    default void await(CompletionStage<?> answer) throws InterruptedException {
        try {
            answer.toCompletableFuture().get();
        } catch (ExecutionException | java.util.concurrent.CancellationException e) {
            return; // complete, which is all that was asked for: who needs the outcome reads it from the stage
        }
    }

    /** Ends the threads of this timeline; what is scheduled does not go off any more. */
    @Override
    void close();

    /** A scheduled task. Thread-safe. */
    interface Timer {
        /** Takes the task back; without effect when it has run. A task that is just running is not waited for. */
        void cancel();
    }

    /** A serial executor with an end. Thread-safe. */
    interface Background extends Executor, AutoCloseable {
        /** Whether the calling thread is the one that is running this executor's tasks. */
        boolean isCurrent();

        /**
         * Runs what was handed over so far, then ends the thread. Does not wait. Later tasks are refused, by
         * {@link java.util.concurrent.RejectedExecutionException}.
         */
        @Override
        void close();
    }
}
