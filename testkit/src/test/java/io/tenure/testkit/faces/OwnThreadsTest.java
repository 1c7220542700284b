package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** What is run here asks neither for its method nor for its context. */
@SuppressWarnings("NullAway")
class OwnThreadsTest {
    private static final @Nullable ReflectiveInvocationContext<Method> METHOD = null;
    private static final @Nullable ExtensionContext CONTEXT = null;

    private final OwnThreads threads = new OwnThreads();

    @FunctionalInterface
    private interface Body {
        void run() throws Exception;
    }

    private static InvocationInterceptor.Invocation<@Nullable Void> of(Body body) {
        return () -> {
            body.run();
            return null;
        };
    }

    @Test
    void what_nobody_catches_on_a_thread_that_a_test_started_is_that_tests() throws Throwable {
        OwnThreads another = new OwnThreads();
        RuntimeException failure = new IllegalStateException("nobody catches this");

        threads.interceptTestMethod(
                of(() -> {
                    Thread outer = new Thread(() -> {
                        Thread inner = new Thread(() -> {
                            throw failure;
                        });
                        inner.start();
                        join(inner);
                    });
                    outer.start();
                    outer.join();
                }),
                METHOD,
                CONTEXT);

        assertThat(threads.uncaught()).containsExactly(failure);
        assertThat(another.uncaught()).isEmpty();
    }

    @Test
    void before_and_after_a_test_its_threads_are_of_the_same_group() throws Throwable {
        AtomicReference<ThreadGroup> before = new AtomicReference<>();
        AtomicReference<ThreadGroup> within = new AtomicReference<>();
        AtomicReference<ThreadGroup> after = new AtomicReference<>();

        threads.interceptBeforeEachMethod(of(() -> before.set(group())), METHOD, CONTEXT);
        threads.interceptTestMethod(of(() -> within.set(group())), METHOD, CONTEXT);
        threads.interceptAfterEachMethod(of(() -> after.set(group())), METHOD, CONTEXT);

        assertThat(List.of(before.get(), after.get())).containsOnly(within.get());
        assertThat(within.get()).isNotSameAs(group());
    }

    @Test
    void what_a_test_throws_is_thrown_as_it_is() {
        IOException failure = new IOException("disk full");
        Error error = new AssertionError("expected");

        assertThatThrownBy(() -> threads.interceptTestMethod(
                        of(() -> {
                            throw failure;
                        }),
                        METHOD,
                        CONTEXT))
                .isSameAs(failure);
        assertThatThrownBy(() -> threads.interceptTestMethod(
                        of(() -> {
                            throw error;
                        }),
                        METHOD,
                        CONTEXT))
                .isSameAs(error);
        assertThat(threads.uncaught()).isEmpty();
    }

    @Test
    void the_interrupt_of_a_time_out_reaches_the_test() throws Throwable {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> threads.interceptTestMethod(of(() -> new CountDownLatch(1).await()), METHOD, CONTEXT))
                .isInstanceOf(InterruptedException.class);

        assertThat(Thread.currentThread().isInterrupted())
                .as("it was the test's")
                .isFalse();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ThreadGroup group() {
        return Thread.currentThread().getThreadGroup();
    }
}
