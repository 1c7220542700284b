package io.tenure.jdbc.postgres;

import io.tenure.TenureEvent;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Pushes of releases on PostgreSQL: one channel for all that wait through one store. Where the first connection shows that the
 * database is another one, there are none. Thread-safe.
 */
public final class PostgresWakeups implements Wakeups, AutoCloseable {
    private static final long LOOKS_A_MILLI = 10;
    private static final long CLOSE_WAIT_MILLIS = 500;
    /** In so many milliseconds, of which there are not more than the longest ttl has, this waiter looks for that name. */
    private static final Pattern WAKE = Pattern.compile("([0-9]{1,10}) ([^ ]{1,100}) (.{1,512})", Pattern.DOTALL);

    private final Leaving leaving;
    private final StoreListener reports;
    private final PostgresListener listener;
    private final Map<Key, List<Interest>> interests = new ConcurrentHashMap<>();
    private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();
    /** What is just being left because of a push that nobody here waits for. */
    private final Set<Key> passingOn = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /** How the line of a name is left. Called on any thread. */
    @FunctionalInterface
    public interface Leaving {
        /** Takes {@code waiter} out of it and, when the lease is free, wakes the next; does not block. */
        CompletionStage<?> leave(String name, String waiter);
    }

    /**
     * @param listenOn where the connection comes from that is kept for listening
     * @param speakOn where the connections come from that leases are released on
     */
    public PostgresWakeups(DataSource listenOn, DataSource speakOn, Leaving leaving, StoreListener reports) {
        this.leaving = leaving;
        this.reports = reports;
        this.listener = new PostgresListener(listenOn, speakOn, new AllEars(), PostgresListener.Patience.USUAL);
    }

    @Override
    public Registration await(String name, String waiter, Listener listener) {
        Interest interest = new Interest(new Key(name, waiter), listener);
        interests.compute(interest.key, (key, others) -> {
            List<Interest> all = others == null ? new CopyOnWriteArrayList<>() : others;
            all.add(interest);
            return all;
        });
        this.listener.start();
        return interest;
    }

    @Override
    public boolean isLive() {
        return listener.isLive();
    }

    /** Where those who wait here can be told; empty when they cannot. */
    public Optional<String> channel() {
        return listener.isPromising() ? Optional.of(listener.channel()) : Optional.empty();
    }

    @SuppressWarnings({"CollectionUndefinedEquality", "UndefinedEquals"}) // one future equals itself, and that is meant
    private CompletableFuture<?> leave(Key key) {
        if (closed || listener.isElsewhere()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<?> left = leaving.leave(key.name(), key.waiter()).toCompletableFuture();
        underWay.add(left);
        // A failure costs the next waiter time, no more: it polls, and the entry runs out.
        left.whenComplete((done, failure) -> underWay.remove(left));
        return left;
    }

    /** Lets the last waiters leave the line, and ends listening, within a bounded time. */
    @Override
    public void close() {
        closed = true;
        try {
            CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new))
                    .get(CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Entries that stay run out by themselves.
            underWay.clear();
        }
        interests.clear();
        listener.close();
    }

    private void wake(Interest interest, Duration after) {
        try {
            interest.listener.wake(after);
        } catch (RuntimeException e) {
            reports.report(new TenureEvent.StoreWarning("A waiter for '" + interest.key.name()
                    + "' could not be woken, and has to find out by itself: " + e));
        }
    }

    private record Key(String name, String waiter) {}

    private final class AllEars implements Ears {
        /** Tells everybody to look, a few at a time: a store that has just come back is not to be met by all at once. */
        @Override
        public void listening() {
            long told = 0;
            for (List<Interest> waiting : interests.values()) {
                Duration after = Duration.ofMillis(told++ / LOOKS_A_MILLI);
                waiting.forEach(interest -> wake(interest, after));
            }
        }

        @Override
        public void heard(String payload) {
            Matcher told = WAKE.matcher(payload);
            if (!told.matches()) {
                return; // not from a statement of ours
            }
            Duration after = Duration.ofMillis(Long.parseLong(told.group(1)));
            Key key = new Key(told.group(3), told.group(2));
            List<Interest> waiting = interests.get(key);
            if (waiting != null) {
                waiting.forEach(interest -> wake(interest, after));
            } else if (passingOn.add(key)) {
                // Whatever else is said to this waiter before it has left the line is answered by that, too.
                leave(key).whenComplete((left, failure) -> passingOn.remove(key));
            }
        }

        @Override
        public void deaf(String reason) {
            reports.report(new TenureEvent.StoreWarning("Waiters of this process learn of releases by polling only: "
                    + "there is no connection to listen for them on PostgreSQL, since " + reason));
        }
    }

    private final class Interest implements Registration {
        private final Key key;
        private final Listener listener;
        private final AtomicBoolean over = new AtomicBoolean();

        Interest(Key key, Listener listener) {
            this.key = key;
            this.listener = listener;
        }

        @Override
        public void served() {
            end();
        }

        @Override
        public void close() {
            if (end()) {
                leave(key);
            }
        }

        /** Whether this was the last interest of the incarnation in the name, and ended just now. */
        private boolean end() {
            if (!over.compareAndSet(false, true)) {
                return false;
            }
            return interests.computeIfPresent(key, (same, all) -> {
                        all.remove(this);
                        return all.isEmpty() ? null : all;
                    })
                    == null;
        }
    }
}
