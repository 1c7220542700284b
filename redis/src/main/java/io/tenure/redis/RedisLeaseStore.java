package io.tenure.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.LeaseRecord;
import io.tenure.Names;
import io.tenure.StoreException;
import io.tenure.TokenSource;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

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
    private final Grants grants;
    private final Renewals renewals;
    private final FenceScripts fenceScripts = FenceScripts.onStore();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final StoreWarnings warnings;
    private final DurabilityRules rules;
    private final ServerWatch watch;

    private RedisLeaseStore(RedisPort port, RedisStoreOptions options) {
        this.port = Ports.requireTimeout(port);
        this.options = Objects.requireNonNull(options, "options");
        this.warnings = new StoreWarnings(port);
        this.wakeups = new RedisWakeups(port, warnings::subscriptionRefused, this::publishRefused);
        this.rules = new DurabilityRules(options.tokens());
        this.watch = new ServerWatch(port, rules, warnings::warn);
        this.grants = new Grants(port, options, warnings, this::release, watch::doubt);
        this.renewals = new Renewals(port, options::retentionMillis, warnings::renewingSingly);
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
     * Connects, by Lettuce, to the server or servers at {@code uri}; blocks until connected, and gives up after 2 s, or the
     * {@code timeout} of the URL, from the first packet to the end of the handshake; a host that does not answer at all has
     * 5 s at most. The client belongs to the store, is shut down when the store is closed, and is made for leases: commands
     * time out after the same 2 s, are refused while there is no connection, and are not sent again after one was lost; a
     * lost connection is made again within a second of the server's return.
     *
     * <p>The URL has one of these forms, where {@code rediss} in the place of {@code redis} means TLS:
     *
     * <ul>
     *   <li>{@code redis://[[user:]password@]host[:port][/database][?parameters]}: one server. An IPv6 address stands in
     *       brackets.
     *   <li>{@code redis-socket:///path/to/socket[?parameters]}: the same over a socket of Unix.
     *   <li>{@code redis-sentinel://[[user:]password@]host[:port][,host...][/database][?parameters]#primary}: the primary
     *       that sentinels at these hosts (port 26379) call by that name; user and password are for the primary, sentinels
     *       are asked without. The store follows to its successors, also when the one that was replaced hangs, or goes on
     *       answering as a replica.
     *   <li>{@code redis-cluster://[[user:]password@]host[:port][,host...][?parameters]}: the cluster that these hosts are
     *       nodes of; one of them that can be reached is enough, and the others are found by it.
     * </ul>
     *
     * <p>What user and password have of {@code / ? # @ %} is percent-encoded. Parameters: {@code timeout}, the time-out of
     * commands, from 1ms to 1d (units ms, s, m, h, d; ms without one); {@code database}, from 0 up, on a cluster only 0;
     * {@code clientName}, {@code libraryName}, {@code libraryVersion}, what the server lists the client as;
     * {@code verifyPeer}, for TLS: FULL (the default), CA, which does not look at the host's name, or NONE;
     * {@code sentinelMasterId}, the same as what stands behind {@code #}. Anything else is refused. Certificates are trusted
     * that the JVM trusts ({@code javax.net.ssl.trustStore}).
     *
     * @throws IllegalArgumentException when a part of {@code uri} is wrong; the message names it, and never the password;
     *     or when {@code timeout} is not above the one of {@link RedisStoreOptions.Builder#minReplicas}
     * @throws StoreException when the server cannot be reached, or the thread is interrupted meanwhile, whose flag is kept
     *     (transient), or when it refuses the connection or Lettuce lacks a library for it (permanent), or as
     *     {@link #over}; nothing stays open
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
     * @throws StoreException with options that are {@linkplain RedisStoreOptions.Builder#strict() strict}: a permanent one
     *     when the server is refused or the port cannot look at it, a transient one when it did not answer in time; the port is left open
     */
    public static RedisLeaseStore over(RedisPort port, RedisStoreOptions options) {
        RedisLeaseStore store = new RedisLeaseStore(port, options);
        if (options.isStrict()) {
            StrictOpening.require(port, store.rules);
        }
        return store;
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
                warnings));
    }

    @Override
    public String canonicalName(String name) {
        return port.isCluster() ? ClusterNames.canonical(name) : name;
    }

    @Override
    public void listen(StoreListener listener) {
        warnings.listen(Objects.requireNonNull(listener, "listener"));
        watch.open();
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        if (!request.lineFor().isZero()) {
            wakeups.stillWanted(request.claim().incarnation());
        }
        CompletionStage<Acquisition> answer = grants.send(request);
        watch.lookIfDue();
        return answer;
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        List<CompletionStage<Renewal>> answers = renewals.send(requests);
        watch.lookIfDue();
        if (!answers.isEmpty()) {
            answers.get(0).whenComplete((renewed, failure) -> {
                if (failure != null) {
                    watch.doubt();
                }
            });
        }
        return answers;
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
        return closed.get()
                ? CompletableFuture.failedFuture(RedisErrors.closed(port.toString()))
                : new LeaseListing(port, name -> look(name, flag(true)), prefix, limit).start();
    }

    /**
     * Looks at how the servers are set up, and what that means for leases and tokens. Asks every primary once, in one
     * pipeline of commands that only read ({@code INFO}, {@code CONFIG GET}, {@code CLUSTER INFO}, {@code TIME}); what a
     * server does not let this user see is {@link DurabilityReport.Grade#UNKNOWN}.
     *
     * @return fails with a {@link StoreException}: a transient one when a server cannot be reached, a permanent one when this
     *     store is closed
     */
    public CompletionStage<DurabilityReport> durability() {
        return closed.get()
                ? CompletableFuture.failedFuture(RedisErrors.closed(port.toString()))
                : ServerFacts.ask(port).thenApply(servers -> rules.report(port, servers));
    }

    @Override
    public Wakeups wakeups() {
        return wakeups;
    }

    @Override
    public Duration shortestTtl() {
        Duration acknowledged =
                options.minReplicas().map(Acknowledgement::shortestTtl).orElse(Duration.ZERO);
        return acknowledged.compareTo(port.shortestTtl()) > 0 ? acknowledged : port.shortestTtl();
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

    private void publishRefused() {
        wakeups.mute();
        warnings.publishRefused();
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
