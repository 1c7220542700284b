package io.tenure.internal;

import java.util.concurrent.Executor;

/** Where results complete, and what to end with the {@code Tenure}. */
public record Callbacks(Executor executor, Runnable closing) implements Executor {
    /**
     * Hands {@code task} to the user's executor; runs it here when that refuses, since one that was shut down, or is full,
     * must not keep holders from learning of their loss, nor stop a machine in the middle of its effects.
     */
    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RuntimeException e) {
            task.run();
        }
    }

    void close() {
        closing.run();
    }
}
