package io.tenure.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.LeaseRecord;
import io.tenure.Names;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Takeover;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Leases on Redis 6.2 or later, or Valkey 7.2 or later. Each verb is one script, so it is decided by the server's clock
 * and in one step. Thread-safe.
 *
 * <p>Keys of a lease NAME: {@code NAME:leader} the lease, {@code NAME:fence} the counter of its tokens,
 * {@code NAME:fence:applied} the mark, {@code NAME:waiters} and {@code NAME:waiters:seen} the line. Names and meaning of
 * the first three are those of the Go library redlease, with whose instances those of this store can contend.
 *
 * <p>A refusal for good (a permanent {@link StoreException}: a right that the user lacks, a key of another type) leaves
 * leases as they were: an acquire has made none, a renewal extended none, a release or eviction ended none. Counter and
 * mark may have risen, so that the token of an earlier holder is refused from then on.
 *
 * <p>A token is never granted twice while the server keeps its data. Replication is asynchronous, so a fail-over may
 * lose the last grants; {@link TokenSource#STORE_CLOCK} keeps tokens rising through that.
 */
public final class RedisLeaseStore implements LeaseStore {
    private final RedisPort port;
    private final RedisStoreOptions options;
    private final RedisWakeups wakeups;
    private final Renewals renewals;
    /** How leases are acquired when replicas have to acknowledge them; else null. */
    private final @Nullable ReplicatedAcquire replicated;

    private final FenceScripts fenceScripts = FenceScripts.onStore();
    private final AtomicBoolean clockTold = new AtomicBoolean();
    private final AtomicBoolean publishTold = new AtomicBoolean();
    private final AtomicBoolean subscribeTold = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile StoreListener listener = event -> {};

    private RedisLeaseStore(RedisPort port, RedisStoreOptions options) {
        this.port = Ports.requireTimeout(port);
        this.options = Objects.requireNonNull(options, "options");
        this.replicated = options.minReplicas()
                .map(wanted -> new ReplicatedAcquire(port, wanted, this::release))
                .orElse(null);
        this.renewals = new Renewals(port, this::retention, this::renewingSingly);
        this.wakeups = new RedisWakeups(port, this::subscriptionRefused, this::publishRefused);
    }

    /**
     * A store with the default options; as {@link #connect(String, RedisStoreOptions)}.
     *
     * @throws IllegalArgumentException as {@link #connect(String, RedisStoreOptions)}
     * @throws StoreException as {@link #connect(String, RedisStoreOptions)}
     * @throws IllegalStateException as {@link #connect(String, RedisStoreOptions)}
     */
    public static RedisLeaseStore connect(String uri) {
        return connect(uri, RedisStoreOptions.defaults());
    }

    /**
     * Connects, by Lettuce, to the server at {@code uri}; blocks until connected, and gives up after 2 s, or the
     * {@code timeout} of the URL, from the first packet to the end of the handshake; a host that does not answer at all has
     * 5 s at most. The client belongs to the store, is shut down when the store is closed, and is made for leases: commands
     * time out after the same 2 s, are refused while there is no connection, and are not sent again after one was lost; a
     * lost connection is made again within a second of the server's return.
     *
     * <p>The URL has the form {@code redis://[[user:]password@]host[:port][/database][?parameters]}; {@code rediss://} is
     * the same over TLS, {@code redis-socket:///path/to/socket} a socket of Unix, and
     * {@code redis-sentinel://[password@]host[:port][,host...][/database]#primary}, accepted but not tested yet, asks
     * sentinels for the primary. What user and password have of {@code / ? # @ %} is percent-encoded. Parameters:
     * {@code timeout}, the time-out of commands, from 1ms to 1d (units ms, s, m, h, d; ms without one); {@code database},
     * from 0 up; {@code clientName}, {@code libraryName}, {@code libraryVersion}, what the server lists the client as;
     * {@code verifyPeer}, for TLS: FULL (the default), CA or NONE; {@code sentinelMasterId}. Anything else is refused.
     *
     * @throws IllegalArgumentException when a part of {@code uri} is wrong; the message names it, and never the password;
     *     or when {@code timeout} is not above the one of {@link RedisStoreOptions.Builder#minReplicas}
     * @throws StoreException when the server cannot be reached, or the thread is interrupted meanwhile, whose flag is kept
     *     (transient), or when it refuses the connection or Lettuce lacks a library for it (permanent); nothing stays open
     * @throws IllegalStateException when Lettuce is missing, or a part of it: on the module path Java is started with
     *     {@code --add-modules ALL-MODULE-PATH}
     */
    public static RedisLeaseStore connect(String uri, RedisStoreOptions options) {
        return owning(LettuceStores.connect(uri), options);
    }

    /** The same as {@link #over}, for a port that nobody else could close. */
    static RedisLeaseStore owning(RedisPort port, RedisStoreOptions options) {
        try {
            return over(port, options);
        } catch (RuntimeException e) {
            port.close();
            throw e;
        }
    }

    /**
     * A store over a client that was bound by hand. The port belongs to the store, which closes it.
     *
     * @throws IllegalArgumentException when the time-out of the port is out of its range, or not above the one of
     *     {@link RedisStoreOptions.Builder#minReplicas}; the port is left open
     */
    public static RedisLeaseStore over(RedisPort port, RedisStoreOptions options) {
        return new RedisLeaseStore(port, options);
    }

    /**
     * The fence for resources on this same server, which refuses all tokens but the highest one minted for {@code name}.
     * Usable while this store is open.
     *
     * @throws IllegalArgumentException when this store cannot keep the name
     */
    public RedisFence fence(String name) {
        String canonical = canonicalName(Names.require("name", name));
        byte[] bytes = canonical.getBytes(UTF_8);
        return new RedisFence(new AsyncRedisFence(
                port,
                canonical,
                LeaseKeys.mark(bytes),
                LeaseKeys.counter(bytes),
                options.retention(),
                fenceScripts,
                event -> listener.report(event)));
    }

    @Override
    public String canonicalName(String name) {
        return port.isCluster() ? ClusterNames.canonical(name) : name;
    }

    @Override
    public void listen(StoreListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        Claim claim = request.claim();
        String name = claim.name();
        if (!request.lineFor().isZero()) {
            wakeups.stillWanted(claim.incarnation());
        }
        byte[][] keys = LeaseKeys.all(name.getBytes(UTF_8));
        byte[][] args = {
            LeaseValue.attempt(claim).getBytes(UTF_8),
            claim.incarnation().getBytes(UTF_8),
            millis(request.ttl()),
            number(request.floor()),
            takeover(request.takeover()),
            number(request.lineFor().toMillis()),
            flag(options.tokens() == TokenSource.STORE_CLOCK),
            number(retention(request.kind(), request.ttl()))
        };
        return replicated == null
                ? Relay.of(port.run(Scripts.ACQUIRE, keys, args), "acquiring", name, reply -> acquisition(name, reply))
                : replicated.send(request, keys, args, reply -> acquisition(name, reply));
    }

    /** By its number in the script, which the order of the constants must not change. */
    private static byte[] takeover(Takeover takeover) {
        return number(
                switch (takeover) {
                    case NONE -> 0;
                    case SAME_INCARNATION -> 1;
                    case ANY_INCARNATION -> 2;
                });
    }

    private Acquisition acquisition(String name, RedisReply reply) {
        if (reply.at(0).asLong() == 0) {
            return new Acquisition.Denied(
                    LeaseValue.record(name, reply, 1), (int) reply.at(4).asLong());
        }
        if (reply.at(2).isNil()) {
            return new Acquisition.Granted(reply.at(1).asLong(), OptionalLong.empty());
        }
        if (reply.at(3).asLong() == 1 && clockTold.compareAndSet(false, true)) {
            listener.report(
                    new TenureEvent.StoreWarning("The clock of " + port + " reads a time after the year 2112: tokens of"
                            + " '" + name + "' and other names are counted without it. Set the server's clock right"));
        }
        return new Acquisition.Granted(reply.at(1).asLong(), known(reply.at(2).asLong()));
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        return renewals.send(requests);
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        Claim claim = request.claim();
        byte[] name = claim.name().getBytes(UTF_8);
        String value = claim.token() == 0 ? LeaseValue.attempt(claim) : LeaseValue.of(claim);
        CompletionStage<RedisReply> answer = port.run(
                Scripts.RELEASE,
                LeaseKeys.all(name),
                value.getBytes(UTF_8),
                number(claim.token()),
                number(request.holdFor().toMillis()),
                flag(request.mode() == ReleaseMode.BURN),
                name,
                flag(port.isCluster()));
        return Relay.of(answer, "releasing", claim.name(), this::ended);
    }

    @Override
    public CompletionStage<Boolean> evict(LeaseRecord seen) {
        byte[] name = seen.name().getBytes(UTF_8);
        CompletionStage<RedisReply> answer = port.run(
                Scripts.EVICT,
                LeaseKeys.all(name),
                LeaseValue.of(seen).getBytes(UTF_8),
                number(seen.token()),
                name,
                flag(port.isCluster()));
        return Relay.of(answer, "evicting the holder of", seen.name(), this::ended);
    }

    private boolean ended(RedisReply reply) {
        long flags = reply.asLong();
        if ((flags & 2) != 0) {
            publishRefused();
        }
        return (flags & 1) != 0;
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> find(String name) {
        return look(name, flag(false));
    }

    /** @param lenient whether a key of another type is no lease, instead of a failure */
    private CompletionStage<Optional<LeaseRecord>> look(String name, byte[] lenient) {
        CompletionStage<RedisReply> answer =
                port.run(Scripts.FIND, LeaseKeys.leaseAndCounter(name.getBytes(UTF_8)), lenient);
        return Relay.of(
                answer,
                "finding",
                name,
                reply -> reply.at(0).isNil() ? Optional.empty() : Optional.of(LeaseValue.record(name, reply, 0)));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
        return new LeaseListing(port, name -> look(name, flag(true)), prefix, limit).start();
    }

    @Override
    public Wakeups wakeups() {
        return wakeups;
    }

    @Override
    public Duration shortestTtl() {
        Duration forReplicas = options.minReplicas()
                .map(wanted -> wanted.timeout().multipliedBy(3).plusMillis(1))
                .orElse(Duration.ZERO);
        return forReplicas.compareTo(port.shortestTtl()) > 0 ? forReplicas : port.shortestTtl();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            wakeups.close();
            port.close();
        }
    }

    /** Names the server, never the credentials. */
    @Override
    public String toString() {
        return "RedisLeaseStore(" + port + ")";
    }

    /** Milliseconds for which counter and mark are kept; 0 for ever. */
    private long retention(LeaseKind kind, Duration ttl) {
        return kind == LeaseKind.ELECTION || options.retention().isZero()
                ? 0
                : Math.max(options.retention().toMillis(), 2 * ttl.toMillis());
    }

    private void publishRefused() {
        wakeups.mute();
        if (publishTold.compareAndSet(false, true)) {
            listener.report(
                    new TenureEvent.StoreWarning(
                            port + " does not let this user publish to channels tenure:wake:*:"
                                    + " waiters learn of releases by polling only. Grant it PUBLISH and the channels (ACL SETUSER)"));
        }
    }

    private void renewingSingly(StoreException refusal) {
        listener.report(new TenureEvent.StoreWarning(port + " refuses to renew several leases in one script, and renews"
                + " them one by one: so they are sent from now on, at the cost of a command for each. "
                + refusal.getMessage()));
    }

    private void subscriptionRefused(StoreException reason) {
        if (subscribeTold.compareAndSet(false, true)) {
            listener.report(
                    new TenureEvent.StoreWarning(port + " refuses subscriptions to channels tenure:wake:*: waiters of"
                            + " this process learn of releases by polling only. " + reason.getMessage()));
        }
    }

    static OptionalLong known(long stood) {
        return stood < 0 ? OptionalLong.empty() : OptionalLong.of(stood);
    }

    static byte[] millis(Duration duration) {
        return number(Math.max(1, duration.toMillis()));
    }

    static byte[] number(long number) {
        return Long.toString(number).getBytes(ISO_8859_1);
    }

    static byte[] flag(boolean set) {
        return set ? new byte[] {'1'} : new byte[] {'0'};
    }
}
