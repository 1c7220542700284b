package io.tenure.testkit.faces;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs a test in a group of threads of its own, which every thread that it starts is of. So what nobody catches there is
 * this test's, whatever else runs in the process.
 */
final class OwnThreads implements InvocationInterceptor {
    private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    private final ThreadGroup group = new ThreadGroup("face-laws") {
        @Override
        public void uncaughtException(Thread thread, Throwable failure) {
            uncaught.add(failure);
        }
    };

    /** What nobody caught so far, and will not catch. */
    List<Throwable> uncaught() {
        return uncaught;
    }

    /** The threads of the test that are alive. */
    Set<Thread> alive() {
        Thread[] threads = new Thread[2 * group.activeCount() + 16];
        return Set.of(Arrays.copyOf(threads, group.enumerate(threads)));
    }

    /** The names, in order, of our threads that the test has had started since {@code before} was alive. */
    List<String> startedSince(Set<Thread> before) {
        return alive().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("tenure-"))
                .sorted()
                .toList();
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(invocation);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(invocation);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(invocation);
    }

    private void run(Invocation<@Nullable Void> invocation) throws Throwable {
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> proceed(invocation));
        Thread thread = new Thread(group, task, Thread.currentThread().getName());
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) { // by the time-out of a test, which is told of how far it got
            thread.interrupt();
            thread.join();
        }
        try {
            task.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static @Nullable Void proceed(Invocation<@Nullable Void> invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
