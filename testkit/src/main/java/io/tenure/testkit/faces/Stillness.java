package io.tenure.testkit.faces;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Waits until the threads of a test have done what they can. Time that is moved by hand would otherwise overtake a thread
 * that was woken and has not got a processor yet, by hours if need be, and a law would fail for the load of the machine.
 *
 * <p>A thread that was woken looks asleep until it runs, so looking at states is not enough: with every look some threads
 * more than there are processors are woken too, and have to run. What was woken before them has run by then, however busy
 * the machine is, or has by the next look. Thread-safe.
 */
final class Stillness {
    private static final int LOOKS = 3;
    /** Together the patience with a thread that never rests, since it turns in a loop: it is not waited for again. */
    private static final int MANY_LOOKS = 100;

    private static final Duration LONG = Duration.ofMillis(500);

    private final Set<Thread> strangers = new CopyOnWriteArraySet<>(alive());
    private final AtomicLong steps = new AtomicLong();
    private final int runners = 2 * Runtime.getRuntime().availableProcessors();
    private final ExecutorService pool = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, LONG.toMillis(), TimeUnit.MILLISECONDS, new SynchronousQueue<>(), this::runner);

    private Thread runner(Runnable task) {
        Thread made = new Thread(task, "stillness");
        made.setDaemon(true);
        strangers.add(made);
        return made;
    }

    /** What is watched has gone on. */
    void step() {
        steps.incrementAndGet();
    }

    /** Returns when every thread that was started since this was made waits for something. */
    void await() {
        long start = System.nanoTime();
        int quiet = 0;
        for (int looks = 0; quiet < LOOKS && !watched().isEmpty(); looks++) {
            long before = steps.get();
            letOthersRun();
            List<Thread> busy = watched().stream().filter(Stillness::isBusy).toList();
            quiet = busy.isEmpty() && steps.get() == before ? quiet + 1 : 0;
            if (looks > MANY_LOOKS && System.nanoTime() - start > LONG.toNanos()) {
                strangers.addAll(busy);
                return;
            }
        }
    }

    void close() {
        pool.shutdown();
    }

    private void letOthersRun() {
        CountDownLatch running = new CountDownLatch(runners);
        for (int i = 0; i < runners; i++) {
            pool.execute(() -> {
                running.countDown();
                awaitUninterruptibly(running); // so that each has a thread of its own
            });
        }
        awaitUninterruptibly(running);
    }

    /** The interrupt of a test's own thread belongs to the test. */
    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread that sleeps although it is interrupted has been woken. */
    private static boolean isBusy(Thread thread) {
        return switch (thread.getState()) {
            case NEW, RUNNABLE, BLOCKED -> true;
            case WAITING, TIMED_WAITING -> thread.isInterrupted();
            case TERMINATED -> false;
        };
    }

    private Collection<Thread> watched() {
        Set<Thread> watched = new HashSet<>(alive());
        watched.removeAll(strangers);
        watched.remove(Thread.currentThread());
        return watched;
    }

    private static Set<Thread> alive() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] threads = new Thread[2 * group.activeCount() + 16];
        return new HashSet<>(Stream.of(threads).limit(group.enumerate(threads)).toList());
    }
}
