package io.tenure.testkit.net;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What happens to the bytes of one direction, on all connections alike. */
final class Valve {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final LongAdder arrived = new LongAdder();
    private Mode mode = Mode.PASS;
    private long delay;

    enum Mode {
        PASS,
        HOLD,
        SWALLOW
    }

    void set(Mode next, long nanos) {
        lock.lock();
        try {
            mode = next;
            delay = nanos;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes have come in; whether they are to be kept for the other side. */
    boolean takes(int bytes) {
        lock.lock();
        try {
            arrived.add(bytes);
            return mode != Mode.SWALLOW;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until what came in at {@code at} may go on; false when it goes nowhere. */
    boolean opensFor(long at) throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                long wait = at + delay - System.nanoTime();
                if (mode == Mode.SWALLOW) {
                    return false;
                } else if (mode == Mode.HOLD) {
                    changed.await();
                } else if (wait > 0) {
                    changed.awaitNanos(wait);
                } else {
                    return true;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    long arrived() {
        return arrived.sum();
    }
}
