package io.tenure.internal;

import io.tenure.TenureEvent;
import io.tenure.TenureObserver;
import io.tenure.Timeline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The events of one observer: bounded, in order, delivered by a thread of its own; the oldest go when it is slow. */
final class EventQueue {
    static final int CAPACITY = 8_192;

    private final TenureObserver observer;
    private final Timeline.Background background;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<TenureEvent> waiting = new ArrayDeque<>();
    private long dropped;
    private boolean delivering;
    private boolean closed;

    EventQueue(TenureObserver observer, Timeline.Background background) {
        this.observer = observer;
        this.background = background;
    }

    void tell(TenureEvent event) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (waiting.size() == CAPACITY) {
                waiting.removeFirst();
                dropped++;
            }
            waiting.addLast(event);
            if (delivering) {
                return;
            }
            delivering = true;
        } finally {
            lock.unlock();
        }
        if (!hand(this::deliver)) {
            lock.lock();
            try {
                delivering = false; // what waits goes with the next event
            } finally {
                lock.unlock();
            }
        }
    }

    /** False when this was closed a moment ago, or no thread is to be had. */
    private boolean hand(Runnable task) {
        try {
            background.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        } catch (OutOfMemoryError e) {
            Uncaught.report(e);
            return false;
        }
    }

    private void deliver() {
        for (TenureEvent event = next(); event != null; event = next()) {
            try {
                observer.onEvent(event);
            } catch (RuntimeException | Error e) {
                Uncaught.report(e);
            }
        }
    }

    private @Nullable TenureEvent next() {
        lock.lock();
        try {
            if (dropped > 0) {
                TenureEvent event = new TenureEvent.EventsDropped(dropped);
                dropped = 0;
                return event;
            }
            TenureEvent event = waiting.pollFirst();
            delivering = event != null;
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Completes when everything told so far has been delivered. */
    CompletableFuture<Void> flushed() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        lock.lock();
        try {
            if (closed) {
                done.complete(null);
                return done;
            }
        } finally {
            lock.unlock();
        }
        boolean handed = hand(() -> {
            deliver(); // whoever told the last event may not have handed its delivery over yet
            done.complete(null);
        });
        if (!handed) {
            done.complete(null);
        }
        return done;
    }

    boolean isDelivering() {
        return background.isCurrent();
    }

    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        background.close();
    }
}
