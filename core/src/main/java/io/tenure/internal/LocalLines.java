package io.tenure.internal;

import io.tenure.internal.machine.Effect.Leaving;
import io.tenure.internal.machine.Signal;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who in this process waits for which name. Only the first of a name talks to the store, and gets its pushes; when it
 * leaves, the next one asks at once. Nothing is kept for a name that nobody waits for.
 */
final class LocalLines {
    private final Wakeups wakeups;
    private final String incarnation;
    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** Turns are given one after another: a waiter that gives up at its turn must not give the next one from within it. */
    private final Mailbox<LeaseCell> turns = new Mailbox<>(cell -> cell.post(new Signal.Turn()));

    private volatile boolean shut;

    LocalLines(Wakeups wakeups, String incarnation) {
        this.wakeups = wakeups;
        this.incarnation = incarnation;
    }

    boolean hasWaiters(String name) {
        return lines.containsKey(name);
    }

    /** Gives no more turns and passes on no more pushes: everybody is about to leave, which hands them to others. */
    void shut() {
        shut = true;
    }

    int size() {
        return lines.size();
    }

    /**
     * Queues {@code cell} up. Interest is registered with the store before the first attempt is sent. Whoever is not first
     * hears of it too: its budget runs while it waits for its turn.
     */
    void join(LeaseCell cell) {
        boolean first;
        lock.lock();
        try {
            Line line = lines.get(cell.name());
            first = line == null;
            if (line == null) {
                line = new Line();
                lines.put(cell.name(), line);
                line.cells.add(cell);
                line.first = cell;
                line.registration = wakeups.await(cell.name(), incarnation, line);
            } else {
                line.cells.add(cell);
            }
        } finally {
            lock.unlock();
        }
        // Whoever is not first has nothing to do yet, but its budget runs from now on: a tick sets its timer.
        cell.post(first ? new Signal.Turn() : new Signal.Tick());
    }

    void leave(LeaseCell cell, Leaving how) {
        LeaseCell next = null;
        Wakeups.Registration done = null;
        lock.lock();
        try {
            Line line = lines.get(cell.name());
            if (line == null || !line.cells.remove(cell)) {
                return;
            }
            if (line.cells.isEmpty()) {
                lines.remove(cell.name());
                done = line.registration;
            } else if (line.first == cell) {
                next = line.cells.getFirst();
                line.first = next;
            }
        } finally {
            lock.unlock();
        }
        if (next != null && !shut) {
            turns.post(next);
        }
        if (done != null && how == Leaving.SERVED) {
            done.served();
        } else if (done != null) {
            done.close();
        }
    }

    private final class Line implements Wakeups.Listener {
        private final Deque<LeaseCell> cells = new ArrayDeque<>();
        private volatile @Nullable LeaseCell first;
        private Wakeups.@Nullable Registration registration;

        @Override
        public void wake(Duration after) {
            LeaseCell cell = first;
            if (cell != null && !shut) {
                cell.post(new Signal.Wake(after));
            }
        }
    }
}
