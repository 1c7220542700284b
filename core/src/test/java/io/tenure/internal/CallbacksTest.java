package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Which executor runs what is called back, and when those of the Tenure's own end. */
class CallbacksTest {
    private static final Executor REFUSING = task -> {
        throw new RejectedExecutionException("full");
    };

    private final Own own = new Own();
    private final List<String> ran = new ArrayList<>();

    @Test
    void what_the_users_executor_refuses_is_left_to_the_own_thread_and_not_run_here() {
        Callbacks callbacks = new Callbacks(REFUSING, own, () -> {});

        callbacks.announce();
        callbacks.execute(() -> ran.add("told"));

        assertThat(ran).isEmpty();
        own.tasks.remove().run();
        assertThat(ran).containsExactly("told");
    }

    @Test
    void an_executor_that_fails_for_want_of_threads_counts_as_refusing() {
        Callbacks callbacks = new Callbacks(
                task -> {
                    throw new OutOfMemoryError("no more threads");
                },
                own,
                () -> {});

        callbacks.announce();
        callbacks.execute(() -> ran.add("told"));

        assertThat(own.tasks).hasSize(1);
    }

    @Test
    void what_was_announced_before_the_end_still_finds_the_own_thread() {
        Callbacks callbacks = new Callbacks(own, own, () -> ran.add("closed"));
        callbacks.announce();
        callbacks.announce();

        callbacks.close();
        callbacks.execute(() -> ran.add("first"));
        assertThat(own.closed).isFalse();
        callbacks.execute(() -> ran.add("second"));

        assertThat(own.closed).isTrue();
        own.tasks.forEach(Runnable::run);
        assertThat(ran).containsExactly("closed", "first", "second");
    }

    @Test
    void after_the_end_whoever_asks_is_told_on_the_spot() {
        Callbacks callbacks = new Callbacks(REFUSING, own, () -> {});
        callbacks.close();
        assertThat(own.closed).isTrue();

        callbacks.announce();
        callbacks.execute(() -> ran.add("told"));

        assertThat(ran).containsExactly("told");
    }

    /** Runs nothing by itself. */
    private static final class Own implements Timeline.Background {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private boolean closed;

        @Override
        public void execute(Runnable task) {
            if (closed) {
                throw new RejectedExecutionException("closed");
            }
            tasks.add(task);
        }

        @Override
        public boolean isCurrent() {
            return false;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
