package io.tenure.redis.jedis;

import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The servers of a Jedis client, over the connections of its pools. */
final class JedisPort implements RedisPort {
    private final JedisNodes nodes;
    private final JedisSubscriptions subscriptions;
    private final Duration timeout;
    private final AtomicBoolean closed = new AtomicBoolean();

    JedisPort(JedisTopology topology, JedisLimits limits) {
        this(new JedisNodes(topology, limits), limits);
    }

    JedisPort(JedisNodes nodes, JedisLimits limits) {
        this.nodes = nodes;
        this.subscriptions = new JedisSubscriptions(nodes, limits);
        this.timeout = limits.patience();
    }

    @Override
    public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
        JedisCall.Urgency urgency = script.isUrgent() ? JedisCall.Urgency.KEEPS_LEASES : JedisCall.Urgency.CAN_WAIT;
        return call(keys, urgency, new JedisScript(script, keys, args));
    }

    @Override
    public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[]... args) {
        JedisScript plain = new JedisScript(script, keys, args);
        return call(keys, JedisCall.Urgency.CAN_WAIT, new JedisWaitScript(plain, wanted, wait));
    }

    private <T> CompletionStage<T> call(byte[][] keys, JedisCall.Urgency urgency, JedisCall.Exchange<T> exchange) {
        int slot = isCluster() && keys.length > 0 ? JedisClusterCRC16.getSlot(keys[0]) : JedisTopology.NO_SLOT;
        subscriptions.check();
        try {
            return new JedisCall<>(nodes, slot, nodes.owner(slot), urgency, exchange).start();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(JedisFailures.of(e, toString()));
        }
    }

    @Override
    public CompletionStage<List<byte[]>> keys(byte[] pattern) {
        return new JedisScan(nodes, pattern).start();
    }

    @Override
    public CompletionStage<List<Inspection>> inspect(List<List<String>> commands) {
        try {
            JedisLook look = new JedisLook(commands);
            List<CompletableFuture<Inspection>> all =
                    nodes.primaries().stream().map(node -> look.at(node, nodes)).toList();
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(JedisFailures.of(e, toString()));
        }
    }

    @Override
    public void subscribe(String channel, Subscriber subscriber) {
        subscriptions.add(channel, subscriber);
    }

    @Override
    public void onReturn(Runnable action) {
        nodes.onReturn(action);
    }

    @Override
    public boolean isCluster() {
        return nodes.isCluster();
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    /** A thread that hangs is free again after the time-out: with it within half a ttl, a renewal that hung has a second. */
    @Override
    public Duration shortestTtl() {
        return timeout.multipliedBy(2);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            subscriptions.close();
            nodes.close();
        }
    }

    @Override
    public String toString() {
        return nodes.describe();
    }
}
