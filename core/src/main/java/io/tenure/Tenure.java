package io.tenure;

import io.tenure.internal.Callbacks;
import io.tenure.internal.Kernel;
import io.tenure.internal.NamedLock;
import io.tenure.internal.RoleElector;
import io.tenure.internal.SystemTimeline;
import io.tenure.internal.WorkThreads;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.LeaseStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one process on one store: where electors and locks come from. One per process and store is enough,
 * whatever the number of names: it has one thread for timers, one for each observer's events, and one for each leader's
 * running work. Thread-safe.
 *
 * <!-- snippet: core/src/test/java/io/tenure/TenureBuilderTest.java#javadoc -->
 * <pre>{@code
 * try (Tenure tenure = Tenure.over(store).open()) {
 *     tenure.lock("cleanup:orders").run(held -> ledger.append(held.token(), entry));
 * }
 * }</pre>
 */
public final class Tenure implements AutoCloseable {
    private final Kernel kernel;
    private final LeaseStore store;
    private final String holder;
    private final Map<String, RoleElector> electors = new ConcurrentHashMap<>();

    private Tenure(Builder builder) {
        store = builder.store;
        holder = builder.holder == null ? Identities.hostBased() : builder.holder;
        Timeline given = builder.timeline;
        Timeline timeline = given == null ? new SystemTimeline() : given;
        Timeline.Background own = timeline.background("tenure-callbacks");
        Executor executor = builder.callbacks == null ? own : builder.callbacks;
        Callbacks callbacks = new Callbacks(executor, own, () -> {
            if (given == null) {
                timeline.close();
            }
        });
        Kernel.Identity identity = new Kernel.Identity(holder, Identities.incarnation());
        WorkThreads workThreads = new WorkThreads(builder.workThreads);
        kernel = new Kernel(store, timeline, identity, workThreads, callbacks, List.copyOf(builder.observers));
    }

    /** Begins a Tenure over {@code store}, which it will own: closing the Tenure closes the store. */
    public static Builder over(LeaseStore store) {
        return new Builder(store);
    }

    /** Leases within this process only, in a {@link MemoryLeaseStore}: for tests, and for deployments of one instance. */
    public static Tenure inMemory() {
        return over(MemoryLeaseStore.create()).open();
    }

    /** The id under which this Tenure's electors hold their leases; those of its locks begin with it. */
    public String holder() {
        return holder;
    }

    /**
     * The elector for {@code name}, with {@link ElectorOptions#defaults()}; as {@link #elector(String, ElectorOptions)}.
     *
     * @throws IllegalStateException when there is one already, or this is closed
     * @throws IllegalArgumentException when the name cannot be one ({@link Names}), or not on this store, or the ttl is too
     *     short for this store ({@link LeaseStore#shortestTtl})
     */
    public Elector elector(String name) {
        return elector(name, ElectorOptions.defaults());
    }

    /**
     * The elector for {@code name}. There is one per name.
     *
     * @throws IllegalStateException when there is one already, or this is closed
     * @throws IllegalArgumentException when the name cannot be one ({@link Names}), or not on this store, or the ttl is too
     *     short for this store ({@link LeaseStore#shortestTtl})
     */
    public Elector elector(String name, ElectorOptions options) {
        kernel.requireOpen();
        Objects.requireNonNull(options, "options");
        String canonical = canonicalName(name, options.ttl());
        RoleElector made = new RoleElector(kernel, canonical, options);
        if (electors.putIfAbsent(canonical, made) != null) {
            throw new IllegalStateException(
                    "This Tenure has an elector for '" + canonical + "' already: use that one, or open another Tenure");
        }
        return made;
    }

    /**
     * A lock with {@link LockOptions#defaults()}; as {@link #lock(String, LockOptions)}.
     *
     * @throws IllegalStateException when this is closed
     * @throws IllegalArgumentException when the name cannot be one ({@link Names}), or not on this store, or the ttl is too
     *     short for this store ({@link LeaseStore#shortestTtl})
     */
    public LeaseLock lock(String name) {
        return lock(name, LockOptions.defaults());
    }

    /**
     * A lock of {@code name}: a cheap handle, of which there may be any number.
     *
     * @throws IllegalStateException when this is closed
     * @throws IllegalArgumentException when the name cannot be one ({@link Names}), or not on this store, or the ttl is too
     *     short for this store ({@link LeaseStore#shortestTtl})
     */
    public LeaseLock lock(String name, LockOptions options) {
        kernel.requireOpen();
        Objects.requireNonNull(options, "options");
        return new NamedLock(kernel, canonicalName(name, options.ttl()), options);
    }

    private String canonicalName(String name, Duration ttl) {
        String canonical = store.canonicalName(Names.require("name", name));
        Duration shortest = store.shortestTtl();
        if (ttl.compareTo(shortest) < 0) {
            throw new IllegalArgumentException("The ttl of '" + canonical + "' is " + ttl + ", and " + store
                    + " keeps leases of " + shortest
                    + " or more: what it waits for, an answer or replicas, would leave too little of a shorter one. Choose a"
                    + " longer ttl, or give the store, or its client, a shorter time-out (of stores in SQL:"
                    + " JdbcStoreOptions.callTimeout)");
        }
        return canonical;
    }

    /**
     * Who has {@code name} now, asked from the store; blocks. A snapshot: by the time it is read, it may be over.
     *
     * @throws StoreException when the store failed, or did not answer within 2 s, or, with the interrupt kept, when the
     *     calling thread was interrupted
     * @throws IllegalStateException after {@link #close()}
     * @throws IllegalArgumentException when the name cannot be one ({@link Names}), or not on this store
     */
    public Optional<LeaseRecord> find(String name) {
        return kernel.find(Names.require("name", name));
    }

    /**
     * Live leases whose canonical name starts with {@code prefix}, at most {@code limit}, ordered by name; blocks. Not one
     * snapshot, but looked at one after another. For people and tools: it may cost the store a scan of all its keys.
     *
     * @throws StoreException as {@link #find}
     * @throws IllegalStateException after {@link #close()}
     * @throws IllegalArgumentException when {@code limit} is below 1, or no name can begin with {@code prefix} ({@link Names});
     *     with the empty one all do
     */
    public List<LeaseRecord> list(String prefix, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + ": it has to be at least 1");
        }
        Objects.requireNonNull(prefix, "prefix");
        return kernel.list(prefix.isEmpty() ? prefix : Names.require("prefix", prefix), limit);
    }

    /**
     * Ends every candidacy and wait with {@link EndReason#CLOSED}, waits for leaders' work (at most its drain timeout),
     * releases every lease it can, delivers the last events, and closes the store. One release that fails does not keep the
     * others from it; its lease ends by its ttl. From inside the work, an observer or a thread factory it does not wait; an
     * interrupt does not end the wait, and is kept. Idempotent; never throws.
     */
    @Override
    public void close() {
        kernel.closeAndWait();
    }

    /** As {@link #close()}, without waiting. The stage completes on a thread of the Tenure's that ends then; never fails. */
    public CompletionStage<Void> closeAsync() {
        return kernel.close().minimalCompletionStage();
    }

    @Override
    public String toString() {
        return "Tenure of '" + holder + "' over " + store;
    }

    /** Collects what a Tenure needs. Not thread-safe. */
    public static final class Builder {
        private final LeaseStore store;
        private final List<TenureObserver> observers = new ArrayList<>();
        private @Nullable String holder;
        private @Nullable ThreadFactory workThreads;
        private @Nullable Executor callbacks;
        private @Nullable Timeline timeline;

        private Builder(LeaseStore store) {
            this.store = Objects.requireNonNull(store, "store");
        }

        /**
         * The holder id; unless set, {@code host-pid-random}: the host's name, the process id and six random hex digits, so
         * that whoever reads it in the store finds the process. One that is fixed lets a restarted process take over what it
         * left behind, and must be unique among live processes: a pod's or host's name, never a service's. Of two live
         * processes with one id, the second takes over, and the first's term ends with {@link EndReason#DUPLICATE_HOLDER}.
         *
         * @throws IllegalArgumentException when it is empty, not well-formed, longer than {@link Names#MAX_BYTES}, or has
         *     control characters
         */
        public Builder holder(String id) {
            holder = Names.require("holder", id);
            return this;
        }

        /** Adds an observer; each has its own queue and thread. */
        public Builder observer(TenureObserver observer) {
            observers.add(Objects.requireNonNull(observer, "observer"));
            return this;
        }

        /**
         * Makes the threads of leaders' work, one a term; daemon threads that are named after their role, unless set. It may
         * be called on a thread of the store's, and must not block.
         */
        public Builder workThreads(ThreadFactory factory) {
            workThreads = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /**
         * Where {@link Lease#ended()} and asynchronous results complete; one thread of the Tenure's own unless set. What the
         * executor refuses is run by that thread. One that runs tasks on the thread that hands them over runs them on the
         * store's and the timer's threads, which every lease needs: they must not block then.
         */
        public Builder callbacks(Executor executor) {
            callbacks = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /** The clock and its timers; real time unless set. One that was set is not closed by the Tenure. */
        public Builder timeline(Timeline line) {
            timeline = Objects.requireNonNull(line, "line");
            return this;
        }

        /** Opens it, with a new incarnation and threads of its own. Does not talk to the store. */
        public Tenure open() {
            return new Tenure(this);
        }
    }

    /** Who an instance is, when nobody says so. */
    private static final class Identities {
        private static final int INCARNATION_BYTES = 9;

        static String hostBased() {
            String suffix = "-" + pid() + "-" + random(3);
            try {
                return Names.require("holder", InetAddress.getLocalHost().getHostName() + suffix);
            } catch (UnknownHostException | IllegalArgumentException e) {
                return "unknown-host" + suffix;
            }
        }

        static String incarnation() {
            return random(INCARNATION_BYTES);
        }

        private static String pid() {
            try {
                return Long.toString(ProcessHandle.current().pid());
            } catch (UnsupportedOperationException | SecurityException e) {
                return "unknown-pid";
            }
        }

        private static String random(int bytes) {
            byte[] drawn = new byte[bytes];
            new SecureRandom().nextBytes(drawn);
            return java.util.HexFormat.of().formatHex(drawn);
        }
    }
}
