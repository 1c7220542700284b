package io.tenure.memory;

import io.tenure.spi.Wakeups;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The wake-ups of one client. */
final class MemoryWakeups implements Wakeups {
    private final MemoryServer server;
    private final MemoryLeaseStore client;
    private final Set<Interest> interests = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    MemoryWakeups(MemoryServer server, MemoryLeaseStore client) {
        this.server = server;
        this.client = client;
    }

    @Override
    public Registration await(String name, String waiter, Listener listener) {
        Interest interest = new Interest(new Registrations.Entry(name, waiter, listener));
        interests.add(interest);
        server.register(interest.entry);
        if (closed) {
            interest.served();
        }
        return interest;
    }

    @Override
    public boolean isLive() {
        return !closed;
    }

    /** As when a connection breaks: nobody here can be told any more, and nobody leaves a line. */
    void disconnect() {
        closed = true;
        interests.forEach(interest -> server.unregister(interest.entry));
        interests.clear();
    }

    private final class Interest implements Registration {
        private final Registrations.Entry entry;
        private final AtomicBoolean over = new AtomicBoolean();

        private Interest(Registrations.Entry entry) {
            this.entry = entry;
        }

        @Override
        public void served() {
            if (over.compareAndSet(false, true)) {
                interests.remove(this);
                server.unregister(entry);
            }
        }

        @Override
        public void close() {
            if (over.compareAndSet(false, true)) {
                interests.remove(this);
                server.leave(entry, client::report);
            }
        }
    }
}
