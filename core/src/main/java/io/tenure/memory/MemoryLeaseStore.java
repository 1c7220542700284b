package io.tenure.memory;

import io.tenure.LeaseRecord;
import io.tenure.Names;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.Timeline;
import io.tenure.TokenSource;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Leases within one process, for tests and for deployments of a single instance. It keeps every law of a store on a
 * server: what several clients share is its {@link #data()}, and {@link #peer()} is another client of them. Every answer
 * is complete when the call returns, and the waiters that a call wakes are told on the calling thread before that.
 * Thread-safe; has no threads. The data is gone with the last reference to it.
 */
public final class MemoryLeaseStore implements LeaseStore {
    /** How long the tokens of an operation's name are kept after their last use, unless said otherwise: one hour. */
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(1);

    private final MemoryServer server;
    private final MemoryWakeups wakeups;
    private volatile StoreListener listener = event -> {};
    private volatile boolean closed;

    private MemoryLeaseStore(MemoryServer server) {
        this.server = server;
        this.wakeups = new MemoryWakeups(server, this);
    }

    /** A store with data of its own, by the system's monotonic clock. */
    public static MemoryLeaseStore create() {
        return builder().open();
    }

    /** A store with data of its own, by the clock of {@code timeline}, of which it uses nothing else. */
    public static MemoryLeaseStore on(Timeline timeline) {
        return builder().timeline(timeline).open();
    }

    /** Begins with the defaults: the system's monotonic clock, {@link TokenSource#STORE_CLOCK}, {@link #DEFAULT_RETENTION}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Another client of the same data, with its own wake-ups and its own end. */
    public MemoryLeaseStore peer() {
        return new MemoryLeaseStore(server);
    }

    /** What this store shares with its peers; for tests of what happens when it is lost or touched by others. */
    public Data data() {
        return new Data(server);
    }

    /**
     * The fence of {@code name}, for state that lives in this process too.
     *
     * @throws IllegalArgumentException when the name cannot be one ({@link Names})
     */
    public MemoryFence fence(String name) {
        return new MemoryFence(server, this, canonicalName(Names.require("name", name)));
    }

    @Override
    public void listen(StoreListener reports) {
        listener = Objects.requireNonNull(reports, "reports");
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        return answer(request.claim().name(), () -> server.acquire(request, this::report));
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        return requests.stream()
                .map(request -> answer(request.claim().name(), () -> server.renew(request)))
                .toList();
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        return answer(request.claim().name(), () -> server.release(request, this::report));
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> find(String name) {
        return answer(name, () -> server.find(name));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
        return answer(prefix, () -> server.list(prefix, limit));
    }

    @Override
    public CompletionStage<Boolean> evict(LeaseRecord seen) {
        return answer(seen.name(), () -> server.evict(seen, this::report));
    }

    @Override
    public Wakeups wakeups() {
        return wakeups;
    }

    /** Ends this client: it refuses every request from now on. Data and peers stay as they are. */
    @Override
    public void close() {
        closed = true;
        wakeups.disconnect();
    }

    void report(TenureEvent event) {
        listener.report(event);
    }

    private <T> CompletionStage<T> answer(String name, Supplier<T> verb) {
        if (closed) {
            return CompletableFuture.failedFuture(StoreException.permanent("The memory store was asked about '" + name
                    + "' after it had been closed: open another client of its data."));
        }
        try {
            return CompletableFuture.completedFuture(verb.get());
        } catch (StoreException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /**
     * The data that several clients share, as a test may meddle with it. Production code has no use for it. Thread-safe.
     */
    public static final class Data {
        private final MemoryServer server;

        private Data(MemoryServer server) {
            this.server = server;
        }

        /** Loses all leases, tokens and lines, as a flush or a crash without persistence would; the clock goes on. */
        public void loseEverything() {
            server.loseEverything();
        }

        /** Loses the counter of {@code name} only, as an eviction of that key would. */
        public void loseCounter(String name) {
            server.loseCounter(name);
        }

        /** Loses the mark of {@code name} only, as an eviction of that key would. */
        public void loseMark(String name) {
            server.loseMark(name);
        }

        /**
         * Puts a lease in place that was not taken through this library: denied requests are told the whole {@code value} as
         * its holder. A value of the form {@code holder#incarnation-attempt-token} is taken for one of Tenure's own, as on
         * every server.
         */
        public void plant(String name, String value, Duration ttl) {
            server.plant(name, value, ttl);
        }
    }

    /** Collects how a store is to be; {@link #open()} checks it. Not thread-safe. */
    public static final class Builder {
        private LongSupplier clock = System::nanoTime;
        private TokenSource tokens = TokenSource.STORE_CLOCK;
        private @Nullable Duration retention;

        private Builder() {}

        /** Goes by the clock of {@code timeline}; nothing else of it is used, and it is not closed with the store. */
        public Builder timeline(Timeline timeline) {
            Objects.requireNonNull(timeline, "timeline");
            clock = timeline::nanos;
            return this;
        }

        /** What tokens are counted up from; {@link TokenSource#STORE_CLOCK} unless set. */
        public Builder tokens(TokenSource source) {
            tokens = Objects.requireNonNull(source, "source");
            return this;
        }

        /**
         * How long the tokens of an operation's name are kept after their last use; always at least twice the ttl of that
         * use. From 1 ms to 365 days, {@link #DEFAULT_RETENTION} unless set. Those of a role are kept for ever.
         */
        public Builder retention(Duration span) {
            retention = Objects.requireNonNull(span, "span");
            return this;
        }

        /**
         * Opens a store with data of its own.
         *
         * @throws IllegalArgumentException when the retention is out of range, or was given for tokens that come from the
         *     counter alone
         */
        public MemoryLeaseStore open() {
            Duration kept = retention == null ? DEFAULT_RETENTION : retention;
            if (kept.compareTo(Duration.ofMillis(1)) < 0 || kept.compareTo(Duration.ofDays(365)) > 0) {
                throw new IllegalArgumentException("retention is " + kept + ": it has to be from 1 ms to 365 days");
            }
            if (retention != null && tokens == TokenSource.COUNTER) {
                throw new IllegalArgumentException(
                        "retention " + retention + " does not go with TokenSource.COUNTER: tokens that"
                                + " come from the counter alone would start again at 1 once it was forgotten. Leave one of them out");
            }
            return new MemoryLeaseStore(new MemoryServer(clock, tokens, kept));
        }
    }
}
