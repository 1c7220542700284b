package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.Fence;
import io.tenure.Lease;
import io.tenure.Names;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes to Redis that are refused when their token is stale. Check and write are one step at the server. Thread-safe.
 *
 * <p>From {@link RedisLeaseStore#fence(String)}, for resources on the server that keeps the lease: only the highest token
 * minted is current, so a predecessor is refused from the moment of the next grant, and every token is once both its
 * counter and its mark are lost. From {@link #external(RedisPort, String)}, for leases kept elsewhere.
 *
 * <p>On a cluster the keys of a write must lie in the slot of the fence: others are an {@link IllegalArgumentException}.
 *
 * <p>All writes block, at most for the time-out of the client, and fail with {@link StaleTokenException} when the token
 * is not current (nothing was written; one below 1 or from 2^53 up is not even sent), or with {@link StoreException}: a
 * transient one after a time-out or a lost connection, when the write <em>may have been applied</em>; a permanent one
 * when the server refused the command. An interrupt does not end the wait, and is kept. {@link #async()} has the twins.
 *
 * <p>The rule is that of M. Kleppmann, "How to do distributed locking" (2016).
 */
public final class RedisFence implements Fence {
    private final AsyncRedisFence fence;

    RedisFence(AsyncRedisFence fence) {
        this.fence = fence;
    }

    /**
     * A fence for a lease that is kept elsewhere (in a database, say) and whose holder writes to this Redis. It has a mark
     * of its own, at the key {@code NAME:mark}, which does not expire. The holder has to {@link #claim} it before the first
     * write (an elector does that by {@code ElectorOptions.claims}): without a mark every write is refused.
     *
     * @param port stays open; its owner closes it
     * @param name as the lease has it where it is kept; on a cluster only keys carry it in its canonical form
     * @throws IllegalArgumentException when leases could not have that name, when the server is a cluster and the name
     *     cannot be tagged, or when the time-out of the port is out of its range
     */
    public static RedisFence external(RedisPort port, String name) {
        Ports.requireTimeout(port);
        Names.require("name", name);
        String canonical = port.isCluster() ? ClusterNames.canonical(name) : name;
        return new RedisFence(new AsyncRedisFence(
                port,
                name, // the one that the lease has elsewhere: whoever is refused is to know it as its own
                LeaseKeys.externalMark(canonical.getBytes(UTF_8)),
                null,
                Duration.ZERO,
                FenceScripts.external(),
                event -> {}));
    }

    /** The name of the lease, in the canonical form of the store that keeps it. */
    public String name() {
        return fence.name();
    }

    /**
     * Sets {@code field} of the hash at {@code key}.
     *
     * @throws StaleTokenException when {@code token} is not current; nothing was written
     * @throws StoreException when the server refused the write, or, a transient one, when it may have been applied
     */
    public void hset(long token, String key, String field, String value) {
        await(fence, fence.hset(token, key, field, value));
    }

    /**
     * Sets {@code field} of the hash at {@code key} to bytes.
     *
     * @throws StaleTokenException when {@code token} is not current; nothing was written
     * @throws StoreException when the server refused the write, or, a transient one, when it may have been applied
     */
    public void hset(long token, String key, String field, byte[] value) {
        await(fence, fence.hset(token, key, field, value));
    }

    /**
     * Sets {@code key}, which thereby loses an expiry it had.
     *
     * @throws StaleTokenException when {@code token} is not current; nothing was written
     * @throws StoreException when the server refused the write, or, a transient one, when it may have been applied
     */
    public void set(long token, String key, String value) {
        await(fence, fence.set(token, key, value));
    }

    /**
     * Sets {@code key} to bytes.
     *
     * @throws StaleTokenException when {@code token} is not current; nothing was written
     * @throws StoreException when the server refused the write, or, a transient one, when it may have been applied
     */
    public void set(long token, String key, byte[] value) {
        await(fence, fence.set(token, key, value));
    }

    /**
     * Deletes keys, and tells how many there were.
     *
     * @throws StaleTokenException when {@code token} is not current; nothing was written
     * @throws StoreException when the server refused the write, or, a transient one, when it may have been applied
     */
    public long del(long token, String... keys) {
        return await(fence, fence.del(token, keys));
    }

    /**
     * Runs a Lua body of the caller's when the token is current, and returns what it returns. Its own keys and arguments
     * start at {@code KEYS[2]} and {@code ARGV[2]}; what lies before and behind them is the fence's. A body that fails
     * leaves the mark alone, but what it had written before stays, as in any script of Redis; the lines of its errors are
     * those of the body.
     *
     * @param body constant text: what varies goes through {@code keys} and {@code args}
     * @throws IllegalArgumentException for the 257th different body
     * @throws StaleTokenException when {@code token} is not current; nothing was written
     * @throws StoreException when the server refused the write, or, a transient one, when it may have been applied
     */
    public RedisReply eval(long token, String body, List<String> keys, List<String> args) {
        return await(fence, fence.eval(token, body, keys, args));
    }

    /**
     * Runs a Lua body with arguments of bytes.
     *
     * @throws IllegalArgumentException for the 257th different body
     * @throws StaleTokenException when {@code token} is not current; nothing was written
     * @throws StoreException when the server refused the write, or, a transient one, when it may have been applied
     */
    public RedisReply eval(long token, String body, List<String> keys, byte[]... args) {
        return await(fence, fence.eval(token, body, keys, args));
    }

    /** Many writes under one check: add them, then {@link FenceBatch#apply()}. Nothing is sent before that. */
    public FenceBatch batch(long token) {
        return fence.batch(token);
    }

    /**
     * Checks {@code token} without writing anything of the caller's. For a lease that is kept elsewhere, raises the mark to
     * it, so that lower tokens are refused from now on.
     *
     * @throws StaleTokenException when {@code token} is not current
     * @throws StoreException when the server refused, or, a transient one, when it may have been done
     */
    @Override
    public void claim(long token) {
        await(fence, fence.claim(token));
    }

    /**
     * The same writes with the token of {@code lease}, as it is now.
     *
     * @throws IllegalArgumentException when the lease has another name
     */
    public BoundRedisFence bind(Lease lease) {
        return new BoundRedisFence(fence, fence.requireOwn(lease).token());
    }

    /**
     * The same fence, whose writes count only once {@code replicas} have them. A write that fewer have in time fails with
     * {@link io.tenure.NotAcknowledgedException}: it is written on the primary, and stays, but a fail-over might lose it.
     * Blocks for up to twice {@code timeout} longer than other writes. Nothing is waited for after a write that is refused.
     * The user needs the right to {@code WAIT}; without it every write fails, after it was made.
     *
     * @param replicas 1 or more
     * @param timeout from 1 ms to {@link Acknowledgement#MAX_TIMEOUT}, and below the command time-out of the client
     * @throws IllegalArgumentException when one of them is out of its range
     */
    public RedisFence acknowledged(int replicas, Duration timeout) {
        return new RedisFence(fence.acknowledged(new Acknowledgement(replicas, timeout)));
    }

    /** The same writes for callers that do not block. */
    public AsyncRedisFence async() {
        return fence;
    }

    @Override
    public String toString() {
        return "RedisFence(" + fence.name() + ")";
    }

    /** Waits without being interrupted: a write that may or may not have been applied helps nobody. */
    static <T extends @Nullable Object> T await(AsyncRedisFence fence, CompletionStage<T> write) {
        long deadline = System.nanoTime() + fence.timeout().toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return write.toCompletableFuture().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException | CancellationException e) {
            write.toCompletableFuture().cancel(false);
            throw fence.unanswered();
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The failure as one of this thread's, whose stack tells where the write was asked for. */
    private static RuntimeException rethrown(@Nullable Throwable cause) {
        if (cause instanceof StaleTokenException stale) {
            return new StaleTokenException(stale.name(), stale.token(), stale.mark());
        }
        if (cause instanceof StoreException store) {
            return store.retold(String.valueOf(store.getMessage()));
        }
        return cause instanceof TenureException own ? own : StoreException.permanent(String.valueOf(cause));
    }
}
