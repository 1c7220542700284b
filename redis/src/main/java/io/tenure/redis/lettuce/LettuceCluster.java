package io.tenure.redis.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.internal.HostAndPort;
import io.tenure.StoreException;
import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * The nodes of a cluster, each over the client's own connection to it. Scripts are routed here, not by the client: which of
 * them a node has, what was given up, and what was lost with a connection has to be known for each.
 */
final class LettuceCluster implements LettuceTopology {
    private final StatefulRedisClusterConnection<byte[], byte[]> connection;
    private final LettuceRefresh refresh;
    private final LettuceClusterWaits waits;
    private final Map<HostAndPort, LettuceNode> nodes = new ConcurrentHashMap<>();
    /** Over when a connection is made or failed and, where it came too late, closed again. */
    private final LettuceUnderWay opening = new LettuceUnderWay();

    private volatile boolean closed;

    LettuceCluster(RedisClusterClient client, StatefulRedisClusterConnection<byte[], byte[]> connection) {
        this.connection = connection;
        this.refresh = new LettuceRefresh(client, this::areInReach);
        this.waits = new LettuceClusterWaits(this, client, connection::getPartitions);
    }

    @Override
    public CompletableFuture<LettuceNode> nodeFor(byte[][] keys) {
        if (keys.length == 0) {
            List<HostAndPort> all = owners();
            return all.isEmpty() ? nobody("it has no node with slots") : ownerOrWhoKnows(any(all));
        }
        int slot = SlotHash.getSlot(keys[0]);
        RedisClusterNode owner = connection.getPartitions().getPartitionBySlot(slot);
        return owner == null ? nobody("no node of it serves slot " + slot) : ownerOrWhoKnows(address(owner));
    }

    /**
     * The owner of a slot, or, while that one is out of reach, somebody who is not: where the cluster has replaced it, that
     * one's {@code MOVED} names the new owner, long before a look at the whole cluster has waited for those that are silent.
     */
    private CompletableFuture<LettuceNode> ownerOrWhoKnows(HostAndPort owner) {
        LettuceNode known = nodes.get(owner);
        if (known == null || known.isTrusted()) {
            return node(owner);
        }
        List<HostAndPort> others = owners();
        others.removeIf(other -> {
            LettuceNode node = nodes.get(other);
            return node != null && !node.isTrusted();
        });
        return node(others.isEmpty() ? owner : any(others));
    }

    private static HostAndPort any(List<HostAndPort> all) {
        return all.get(ThreadLocalRandom.current().nextInt(all.size()));
    }

    private CompletableFuture<LettuceNode> nobody(String what) {
        refresh.lost();
        return CompletableFuture.failedFuture(
                StoreException.passing("The cluster cannot be asked at present: " + what + "; nothing was sent"));
    }

    private List<HostAndPort> owners() {
        List<HostAndPort> owners = new ArrayList<>();
        for (RedisClusterNode node : connection.getPartitions()) {
            if (!node.hasNoSlots()) {
                owners.add(address(node));
            }
        }
        return owners;
    }

    private static HostAndPort address(RedisClusterNode node) {
        return HostAndPort.of(node.getUri().getHost(), node.getUri().getPort());
    }

    private CompletableFuture<LettuceNode> node(HostAndPort at) {
        LettuceNode known = nodes.get(at);
        if (known != null && known.isConnected()) {
            return known.itself();
        }
        return open(at).handle((open, failure) -> {
            if (failure != null) {
                refresh.lost();
                throw LettuceCall.failure(failure, at.toString());
            }
            return over(open, at);
        });
    }

    private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> open(HostAndPort at) {
        CompletableFuture<Void> over = opening.begin(); // first: closing sees it, or Lettuce opens nothing any more
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> opened;
        try {
            opened = connection.getConnectionAsync(at.getHostText(), at.getPort());
        } catch (RuntimeException e) {
            opened = CompletableFuture.failedFuture(e); // it left the cluster, as far as the client knows
        }
        opened.whenComplete((open, failure) -> {
            if (failure == null && closed) {
                open.closeAsync().whenComplete((end, trouble) -> over.complete(null));
            } else {
                over.complete(null);
            }
        });
        return opened;
    }

    private LettuceNode over(StatefulRedisConnection<byte[], byte[]> open, HostAndPort at) {
        return nodes.compute(at, (key, before) -> {
            if (before != null && before.isOver(open)) {
                return before;
            }
            open.addListener(new RedisConnectionStateListener() {
                @Override
                public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
                    refresh.lost();
                }
            });
            return new LettuceNode(open, at.toString());
        });
    }

    /** {@code MOVED 3999 host:port}; the client may not have heard of that node yet. */
    @Override
    public CompletableFuture<LettuceNode> redirected(String reply) {
        String target = reply.substring(reply.lastIndexOf(' ') + 1);
        CompletableFuture<?> heard =
                reply.startsWith("MOVED ") ? refresh.begin() : CompletableFuture.completedFuture(null);
        HostAndPort at = HostAndPort.parseCompat(target);
        if (connection.getPartitions().getPartition(at.getHostText(), at.getPort()) != null) {
            return node(at);
        }
        return heard.thenCompose(done -> node(at));
    }

    @Override
    public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[][] args) {
        return waits.run(wanted, wait, script, keys, args);
    }

    @Override
    public CompletableFuture<List<LettuceNode>> primaries() {
        List<CompletableFuture<LettuceNode>> all =
                owners().stream().map(this::node).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }

    @Override
    public void unanswered(LettuceNode node) {
        node.doubt();
        refresh.lost();
    }

    /** Whether every node that owns slots is connected, and answers. */
    private boolean areInReach() {
        List<HostAndPort> owners = owners();
        boolean all = !owners.isEmpty();
        for (HostAndPort owner : owners) {
            CompletableFuture<LettuceNode> node = node(owner);
            all &= node.isDone()
                    && !node.isCompletedExceptionally()
                    && node.join().isTrusted();
        }
        return all;
    }

    @Override
    public void onReturn(Runnable action) {
        refresh.onReturn(action);
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public Duration timeout() {
        return connection.getTimeout();
    }

    /** Lettuce itself closes connections that are being made as soon as they are, and does not wait for them. */
    @Override
    public CompletionStage<?> close() {
        closed = true;
        CompletableFuture<?> ended =
                CompletableFuture.allOf(refresh.close(), waits.close().toCompletableFuture(), connection.closeAsync());
        return CompletableFuture.allOf(ended, opening.over());
    }
}
