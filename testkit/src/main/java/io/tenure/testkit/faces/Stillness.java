package io.tenure.testkit.faces;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.ForkJoinPool.ManagedBlocker;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the threads of a test have done what they can. Time that is moved by hand would otherwise overtake a thread
 * that was woken and has not got a processor yet, by hours if need be, and a law would fail for the load of the machine.
 *
 * <p>A thread that was woken looks asleep until it runs, so its state is not enough: whether what it waits for has come
 * is asked of that, for futures, latches, semaphores and locks. Thread-safe.
 */
final class Stillness {
    /** One look at many threads takes a while, in which one of those seen may have woken one seen before. */
    private static final int LOOKS = 2;
    /** The patience with a thread that never rests, since it turns in a loop: it is not waited for again. */
    private static final Duration LONG = Duration.ofSeconds(2);

    private final Set<Thread> strangers = new CopyOnWriteArraySet<>(alive());
    private final AtomicLong steps = new AtomicLong();

    /** What is watched has gone on. */
    void step() {
        steps.incrementAndGet();
    }

    /** Returns when every thread that was started since this was made waits for something that has not come. */
    void await() {
        boolean interrupted = Thread.interrupted(); // who is asked whether a thread is woken may look at this flag
        try {
            long start = System.nanoTime();
            int quiet = 0;
            long before = steps.get();
            while (quiet < LOOKS) {
                List<Thread> busy = busy();
                if (!busy.isEmpty() && System.nanoTime() - start > LONG.toNanos()) {
                    strangers.addAll(busy);
                    return;
                }
                long after = steps.get();
                quiet = busy.isEmpty() && after == before ? quiet + 1 : 0;
                before = after;
                if (!busy.isEmpty()) {
                    Patience.glance();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private List<Thread> busy() {
        return alive().stream()
                .filter(thread -> thread != Thread.currentThread())
                .filter(thread -> !strangers.contains(thread))
                .filter(Stillness::isBusy)
                .toList();
    }

    private static boolean isBusy(Thread thread) {
        return switch (thread.getState()) {
            case NEW, RUNNABLE, BLOCKED -> true;
            case WAITING, TIMED_WAITING -> thread.isInterrupted() || hasCome(LockSupport.getBlocker(thread));
            case TERMINATED -> false;
        };
    }

    /** Whether a thread that waits for {@code blocker} has been woken. */
    private static boolean hasCome(@Nullable Object blocker) {
        if (blocker instanceof ManagedBlocker future) {
            return future.isReleasable();
        }
        if (blocker instanceof AbstractQueuedSynchronizer) {
            boolean zero = blocker.toString().contains("[State = 0,"); // as its documentation words it
            Class<?> kind = blocker.getClass().getEnclosingClass();
            return kind == Semaphore.class ? !zero : zero;
        }
        return false;
    }

    private static Set<Thread> alive() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] threads = new Thread[2 * group.activeCount() + 16];
        return new HashSet<>(Stream.of(threads).limit(group.enumerate(threads)).toList());
    }
}
