package io.tenure.memory;

import io.tenure.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Time that is moved by hand, for tests: the clock stands still until {@link #advance}, which runs on the calling
 * thread, in order, whatever falls due. It has no threads: a background task runs on the thread that hands it over, or
 * after the task that is just running. Thread-safe; concurrent advances happen one after another.
 */
public final class ManualTimeline implements Timeline {
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock driver = new ReentrantLock();
    private final TreeSet<Entry> entries =
            new TreeSet<>(Comparator.comparingLong((Entry entry) -> entry.at).thenComparingLong(entry -> entry.order));
    private volatile long now;
    private long scheduled;

    /** A clock that reads 0. */
    public ManualTimeline() {}

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Timer schedule(long at, long slack, Runnable task) {
        lock.lock();
        try {
            Entry entry = new Entry(at, slack, scheduled++, task);
            entries.add(entry);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Background background(String name) {
        return new Trampoline(name);
    }

    /** Returns at once. */
    @Override
    public void await(CompletionStage<?> answer) {}

    /**
     * Moves time forward by {@code span}; returns when everything that fell due has run, on this thread: what a task
     * throws is thrown on. Zero runs what is due now. Leaders' work runs on threads of its own, and is not waited for.
     *
     * @throws IllegalArgumentException when {@code span} is negative
     */
    public void advance(Duration span) {
        if (span.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards: " + span);
        }
        driver.lock();
        try {
            long target = now + span.toNanos();
            for (List<Entry> due = takeDue(target); !due.isEmpty(); due = takeDue(target)) {
                due.forEach(entry -> entry.task.run());
            }
            now = Math.max(now, target); // a task may have moved time further
        } finally {
            driver.unlock();
        }
    }

    /** Runs what is due now, without moving time. */
    public void settle() {
        advance(Duration.ZERO);
    }

    /** How many tasks are scheduled, for tests that nothing is left behind. */
    public int pending() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            entries.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Moves the clock to the earliest task up to {@code target}, and takes all that go off together with it. */
    private List<Entry> takeDue(long target) {
        lock.lock();
        try {
            List<Entry> due = new ArrayList<>();
            if (!entries.isEmpty() && entries.first().at <= target) {
                now = Math.max(now, entries.first().at);
                while (!entries.isEmpty() && entries.first().at - entries.first().slack <= now) {
                    due.add(entries.pollFirst());
                }
            }
            return due;
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

    /** Runs tasks one after another on whichever thread comes first. */
    private static final class Trampoline implements Background {
        private final String name;
        private final ReentrantLock lock = new ReentrantLock();
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private volatile @Nullable Thread current;
        private boolean closed;

        private Trampoline(String name) {
            this.name = name;
        }

        @Override
        public void execute(Runnable task) {
            lock.lock();
            try {
                if (closed) {
                    throw new RejectedExecutionException(name + " is closed");
                }
                tasks.add(task);
                if (current != null) {
                    return;
                }
                current = Thread.currentThread();
            } finally {
                lock.unlock();
            }
            drain();
        }

        private void drain() {
            for (Runnable task = next(); task != null; task = next()) {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            }
        }

        private @Nullable Runnable next() {
            lock.lock();
            try {
                Runnable task = tasks.poll();
                if (task == null) {
                    current = null;
                }
                return task;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean isCurrent() {
            return current == Thread.currentThread();
        }

        @Override
        public void close() {
            lock.lock();
            try {
                closed = true;
            } finally {
                lock.unlock();
            }
        }
    }
}
