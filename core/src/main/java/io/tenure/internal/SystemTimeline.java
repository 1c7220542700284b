package io.tenure.internal;

import io.tenure.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Real time. One daemon thread for all timers, started with the first; taking a timer back, or setting one that is later
 * than the thread would wake up anyway, does not wake it, so that short leases cost no context switch.
 */
public final class SystemTimeline implements Timeline {
    private final ThreadFactory threads;
    private final long origin = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final TreeSet<Entry> entries =
            new TreeSet<>(Comparator.comparingLong((Entry entry) -> entry.at).thenComparingLong(entry -> entry.order));
    private @Nullable Thread thread;
    private long sleepsUntil = Long.MAX_VALUE;
    private long scheduled;
    private boolean closed;

    /** A clock that reads about 0. */
    public SystemTimeline() {
        this(Thread::new);
    }

    SystemTimeline(ThreadFactory threads) {
        this.threads = threads;
    }

    @Override
    public long nanos() {
        return System.nanoTime() - origin;
    }

    @Override
    public Timer schedule(long at, long slack, Runnable task) {
        lock.lock();
        try {
            Entry entry = new Entry(at, slack, scheduled++, task);
            if (closed) {
                return entry;
            }
            entries.add(entry);
            if (thread == null) {
                start();
            } else if (at < sleepsUntil) {
                earlier.signal();
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /** When no thread is to be had, what was scheduled waits for the next one to ask. */
    private void start() {
        try {
            Thread made = threads.newThread(this::run);
            made.setName("tenure-timer");
            made.setDaemon(true);
            made.start();
            thread = made;
        } catch (OutOfMemoryError e) {
            Uncaught.report(e);
        }
    }

    private void run() {
        try {
            runTimers();
        } finally {
            lock.lock();
            try {
                thread = null; // after an error of the machine's, the next one who asks gets another
            } finally {
                lock.unlock();
            }
        }
    }

    private void runTimers() {
        for (List<Entry> due = awaitDue(); !due.isEmpty(); due = awaitDue()) {
            for (Entry entry : due) {
                try {
                    entry.task.run();
                } catch (RuntimeException | Error e) {
                    Uncaught.report(e);
                }
            }
        }
    }

    /** What is due, waiting for it; nothing once this is closed. */
    private List<Entry> awaitDue() {
        lock.lock();
        try {
            List<Entry> due = new ArrayList<>();
            while (!closed) {
                long now = nanos();
                if (!entries.isEmpty() && entries.first().at <= now) {
                    while (!entries.isEmpty() && entries.first().at - entries.first().slack <= now) {
                        due.add(entries.pollFirst());
                    }
                    sleepsUntil = Long.MIN_VALUE;
                    return due;
                }
                sleepsUntil = entries.isEmpty() ? Long.MAX_VALUE : entries.first().at;
                sleep(now);
            }
            return due;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    private void sleep(long now) {
        try {
            if (sleepsUntil == Long.MAX_VALUE) {
                earlier.await();
            } else {
                earlier.awaitNanos(sleepsUntil - now);
            }
        } catch (InterruptedException e) {
            // Nobody but a stranger interrupts this thread; leases depend on it, so it goes on.
            return;
        }
    }

    @Override
    public Background background(String name) {
        return new OneThread(name);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            entries.clear();
            earlier.signal();
        } finally {
            lock.unlock();
        }
    }

    private final class Entry implements Timer {
        private final long at;
        private final long slack;
        private final long order;
        private final Runnable task;

        private Entry(long at, long slack, long order, Runnable task) {
            this.at = at;
            this.slack = slack;
            this.order = order;
            this.task = task;
        }

        @Override
        public void cancel() {
            lock.lock();
            try {
                entries.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    /** One daemon thread, started with the first task, gone after ten idle seconds. */
    private static final class OneThread implements Background {
        private static final long IDLE_SECONDS = 10;

        private final ThreadPoolExecutor executor;
        private volatile @Nullable Thread current;

        private OneThread(String name) {
            executor =
                    new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                        Thread made = new Thread(task, name);
                        made.setDaemon(true);
                        return made;
                    });
            executor.allowCoreThreadTimeOut(true);
        }

        @Override
        public void execute(Runnable task) {
            executor.execute(() -> {
                current = Thread.currentThread();
                try {
                    task.run();
                } finally {
                    current = null;
                }
            });
        }

        @Override
        public boolean isCurrent() {
            return current == Thread.currentThread();
        }

        @Override
        public void close() {
            executor.shutdown();
        }
    }
}
