package io.tenure.spi;

import java.time.Duration;

/**
 * A store's way to tell waiters of a release. Only ever a hint: lost, late and spurious ones cost time, never safety.
 * Thread-safe.
 */
public interface Wakeups {
    /** For stores without a push: waiters poll. */
    Wakeups NONE = new NoWakeups();

    /**
     * Registers interest in {@code name} on behalf of the incarnation {@code waiter}, before it asks for the lease; does
     * no I/O that the caller would have to wait for. When the push comes to life, or back, everybody is told to look; so
     * they are when the store can be reached again after it could not: they may be pausing after failures.
     */
    Registration await(String name, String waiter, Listener listener);

    /**
     * Whether a push sent now would arrive, as far as is known. False too when this store may not send any: other
     * processes most likely have its rights, so that waiters had better look often. Does no I/O.
     */
    boolean isLive();

    /** Told when to look. Called on any thread, also while {@link #await} is running; must not block. */
    @FunctionalInterface
    interface Listener {
        /** The lease may be free; look in {@code after}, zero for at once. */
        void wake(Duration after);
    }

    /** One waiter's interest in one name. Thread-safe. */
    interface Registration extends AutoCloseable {
        /** Ends the interest of a waiter that was granted the lease, which took it out of the line already. No I/O. */
        void served();

        /**
         * Ends the interest of a waiter that gives up: it leaves the line, and when the lease is free, whoever is next in
         * it is woken. Does not wait, and does not throw. After {@link #served()} or a first call it has no effect.
         */
        @Override
        void close();
    }
}
