package io.tenure.internal;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts the body of {@code lock.run} on its caller's thread, inside its scope only. Whether a flag that is set at
 * the end is ours or the user's cannot always be told: it is taken for the user's when it was set before ours, or when
 * ours has been consumed by an {@link InterruptedException}. A body that swallows ours and is interrupted by its user
 * afterwards ends with a flag that looks like ours, and loses it: keeping it would let ours leak whenever a body does not
 * look, which is the common case. The promise is written down at {@link io.tenure.LeaseLock#run}.
 */
final class BodyGuard {
    private final Thread thread = Thread.currentThread();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean over;
    private boolean interrupted;
    private boolean flaggedBefore;

    void interrupt() {
        lock.lock();
        try {
            if (!over && !interrupted) {
                interrupted = true;
                flaggedBefore = thread.isInterrupted();
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the scope; true when {@code thrown} is an {@link InterruptedException} that only we caused. */
    boolean end(Object thrown) {
        lock.lock();
        try {
            over = true;
        } finally {
            lock.unlock();
        }
        boolean consumed = thrown instanceof InterruptedException;
        if (interrupted && !flaggedBefore && !consumed) {
            Thread.interrupted();
        }
        return interrupted && !flaggedBefore && consumed;
    }
}
