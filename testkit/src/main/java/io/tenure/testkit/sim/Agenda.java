package io.tenure.testkit.sim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The global clock, and what is to happen when: in order of time, and what is due at one time as it was planned. */
final class Agenda {
    private @Nullable Entry[] heap = new Entry[256];
    private int size;
    private long planned;
    private long now;

    long now() {
        return now;
    }

    /** Plans {@code task} for {@code at}, or for now when that is past. */
    Entry at(long at, Runnable task) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        Entry entry = new Entry(Math.max(at, now), planned++, task);
        up(size++, entry);
        return entry;
    }

    Entry in(long span, Runnable task) {
        return at(now + span, task);
    }

    /** Does the next thing that is due up to {@code until}; false when there is none, and it is {@code until} then. */
    boolean step(long until) {
        while (size > 0 && first().at <= until) {
            Entry next = removeFirst();
            Runnable task = next.task;
            if (task != null) {
                next.task = null;
                now = next.at;
                task.run();
                return true;
            }
        }
        now = Math.max(now, until);
        return false;
    }

    private Entry first() {
        return entry(0);
    }

    private Entry entry(int index) {
        Entry entry = heap[index];
        if (entry == null) {
            throw new IllegalStateException("no entry at " + index);
        }
        return entry;
    }

    private void up(int from, Entry entry) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            if (!entry.isBefore(entry(parent))) {
                break;
            }
            heap[index] = entry(parent);
            index = parent;
        }
        heap[index] = entry;
    }

    private Entry removeFirst() {
        Entry result = first();
        Entry last = entry(--size);
        heap[size] = null;
        if (size > 0) {
            down(last);
        }
        return result;
    }

    private void down(Entry entry) {
        int index = 0;
        for (int child = 1; child < size; child = 2 * index + 1) {
            if (child + 1 < size && entry(child + 1).isBefore(entry(child))) {
                child++;
            }
            if (!entry(child).isBefore(entry)) {
                break;
            }
            heap[index] = entry(child);
            index = child;
        }
        heap[index] = entry;
    }

    /** Something planned. */
    static final class Entry {
        private final long at;
        private final long order;
        private @Nullable Runnable task;

        private Entry(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        private boolean isBefore(Entry other) {
            return at < other.at || at == other.at && order < other.order;
        }

        /** False when it has happened, or was cancelled before. */
        boolean cancel() {
            boolean waiting = task != null;
            task = null;
            return waiting;
        }
    }
}
