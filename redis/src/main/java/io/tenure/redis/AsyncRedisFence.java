package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.Lease;
import io.tenure.NotAcknowledgedException;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.Tokens;
import io.tenure.spi.StoreListener;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a {@link RedisFence} for callers that do not block: same checks, same failures, through the stage; what is
 * wrong with the arguments is thrown. Cancelling a stage's future keeps a write that was not sent yet from being sent.
 * Stages complete on a thread of the client's, which must not be blocked. Thread-safe.
 */
public final class AsyncRedisFence {
    private static final String WRITING = "writing by fence";

    private final RedisPort port;
    private final String name;
    private final byte[] mark;
    private final byte @Nullable [] counter;
    private final byte[] retention;
    private final FenceScripts scripts;
    private final StoreListener listener;
    private final @Nullable Acknowledgement wanted;

    /** @param counter the counter's key; null when the lease is kept elsewhere */
    AsyncRedisFence(
            RedisPort port,
            String name,
            byte[] mark,
            byte @Nullable [] counter,
            Duration retention,
            FenceScripts scripts,
            StoreListener listener) {
        this.port = port;
        this.name = name;
        this.mark = mark;
        this.counter = counter;
        this.retention = RedisLeaseStore.number(retention.toMillis());
        this.scripts = scripts;
        this.listener = listener;
        this.wanted = null;
    }

    private AsyncRedisFence(AsyncRedisFence other, Acknowledgement wanted) {
        this.port = other.port;
        this.name = other.name;
        this.mark = other.mark;
        this.counter = other.counter;
        this.retention = other.retention;
        this.scripts = other.scripts;
        this.listener = other.listener;
        this.wanted = wanted;
    }

    AsyncRedisFence acknowledged(Acknowledgement acknowledgement) {
        return new AsyncRedisFence(this, acknowledgement.requireWithin(port));
    }

    /** The name of the lease, in the canonical form of the store that keeps it. */
    public String name() {
        return name;
    }

    /** Sets a field of a hash; see {@link RedisFence#hset(long, String, String, String)}. */
    public CompletionStage<Void> hset(long token, String key, String field, String value) {
        return hset(token, key, field, value.getBytes(UTF_8));
    }

    /** Sets a field of a hash to bytes. */
    public CompletionStage<Void> hset(long token, String key, String field, byte[] value) {
        return apply(
                scripts.hset, token, List.of(key), List.of(field.getBytes(UTF_8), value), AsyncRedisFence::nothing);
    }

    /** Sets a key; see {@link RedisFence#set(long, String, String)}. */
    public CompletionStage<Void> set(long token, String key, String value) {
        return set(token, key, value.getBytes(UTF_8));
    }

    /** Sets a key to bytes. */
    public CompletionStage<Void> set(long token, String key, byte[] value) {
        return apply(scripts.set, token, List.of(key), List.of(value), AsyncRedisFence::nothing);
    }

    /** Deletes keys, and tells how many there were. */
    public CompletionStage<Long> del(long token, String... keys) {
        return apply(
                scripts.del, token, List.of(keys), List.of(RedisLeaseStore.number(keys.length)), RedisReply::asLong);
    }

    /** Runs a script of the caller's; see {@link RedisFence#eval(long, String, List, List)}. */
    public CompletionStage<RedisReply> eval(long token, String body, List<String> keys, List<String> args) {
        return evaluate(
                token, body, keys, args.stream().map(arg -> arg.getBytes(UTF_8)).toList());
    }

    /** Runs a script of the caller's with arguments of bytes. */
    public CompletionStage<RedisReply> eval(long token, String body, List<String> keys, byte[]... args) {
        return evaluate(token, body, keys, List.of(args));
    }

    private CompletionStage<RedisReply> evaluate(long token, String body, List<String> keys, List<byte[]> args) {
        return apply(scripts.of(body), token, keys, args, Function.identity());
    }

    /** Many writes under one check; see {@link RedisFence#batch(long)}. */
    public FenceBatch batch(long token) {
        return new FenceBatch(this, token);
    }

    /** Checks the token without writing anything, or raises the mark to it; see {@link RedisFence#claim(long)}. */
    public CompletionStage<Void> claim(long token) {
        return apply(scripts.claim, token, List.of(), List.of(), AsyncRedisFence::nothing);
    }

    /** The same writes with the token of {@code lease}; see {@link RedisFence#bind(Lease)}. */
    public BoundAsyncRedisFence bind(Lease lease) {
        return new BoundAsyncRedisFence(this, requireOwn(lease).token());
    }

    Lease requireOwn(Lease lease) {
        String leased = lease.name();
        if (!leased.equals(name)
                && !(port.isCluster() && ClusterNames.canonical(leased).equals(ClusterNames.canonical(name)))) {
            throw new IllegalArgumentException("The lease '" + leased + "' cannot be bound to the fence '" + name
                    + "': tokens of one name mean nothing for another. Bind the lease of this name");
        }
        return lease;
    }

    CompletionStage<Long> applyBatch(long token, List<String> keys, List<byte[]> args) {
        return apply(scripts.batch, token, keys, args, RedisReply::asLong);
    }

    @SuppressWarnings("NullAway") // null is the only value of its type
    private static Void nothing(RedisReply reply) {
        return null;
    }

    private <T extends @Nullable Object> CompletionStage<T> apply(
            RedisScript script, long token, List<String> ownKeys, List<byte[]> ownArgs, Function<RedisReply, T> read) {
        if (!Tokens.isValid(token)) {
            return CompletableFuture.failedFuture(refused(token, 0));
        }
        byte @Nullable [] own = counter;
        int added = own == null ? 1 : 2;
        byte[][] keys = new byte[ownKeys.size() + added][];
        keys[0] = mark;
        for (int i = 0; i < ownKeys.size(); i++) {
            keys[i + 1] = ownKeys.get(i).getBytes(UTF_8);
            if (port.isCluster()) {
                ClusterNames.requireSameSlot(mark, keys[i + 1]);
            }
        }
        byte[][] args = new byte[ownArgs.size() + added][];
        args[0] = RedisLeaseStore.number(token);
        copy(ownArgs, args);
        if (own != null) {
            keys[keys.length - 1] = own;
            args[args.length - 1] = retention;
        }
        Function<RedisReply, T> checked = reply -> {
            if (isRefused(reply)) {
                throw refused(token, reply.at(1).asLong());
            }
            return read.apply(reply.at(1));
        };
        Acknowledgement replicas = wanted;
        return replicas == null
                ? Relay.of(port.run(script, keys, args), WRITING, name, checked)
                : Relay.of(
                        port.runAcknowledged(replicas, reply -> !isRefused(reply), script, keys, args),
                        WRITING,
                        name,
                        outcome -> acknowledged(checked.apply(outcome.reply()), outcome.replicas(), replicas));
    }

    private static boolean isRefused(RedisReply reply) {
        return reply.at(0).asLong() == 0;
    }

    private static <T extends @Nullable Object> T acknowledged(T result, int replicas, Acknowledgement wanted) {
        if (replicas < wanted.replicas()) {
            throw new NotAcknowledgedException(
                    "It is written on the primary, and stays, but only " + replicas + " of the " + wanted.replicas()
                            + " replicas that were asked for had it within "
                            + wanted.timeout().toMillis() + " ms: a fail-over might lose it",
                    wanted.replicas(),
                    replicas);
        }
        return result;
    }

    private static void copy(Collection<byte[]> from, byte[][] to) {
        int i = 1;
        for (byte[] arg : from) {
            to[i++] = arg;
        }
    }

    private StaleTokenException refused(long token, long stood) {
        listener.report(new TenureEvent.FenceRejected(name, token, stood));
        return new StaleTokenException(name, token, stood);
    }

    StoreException unanswered() {
        return StoreException.passing("Failed writing by fence '" + name + "': no answer from " + port + " within "
                + timeout().toMillis() + " ms; the write may have been applied");
    }

    /** How long one that blocks waits: for the answer, and for replicas, maybe after others that wait for them. */
    Duration timeout() {
        return wanted == null
                ? port.timeout()
                : port.timeout().plus(wanted.timeout().multipliedBy(2));
    }
}
