package io.tenure.redis.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** One server, or whichever the client connects to. */
final class LettuceServer implements LettuceTopology {
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final LettuceNode node;
    private final LettuceWaits waits;

    /** @param waits connections to the same server */
    LettuceServer(StatefulRedisConnection<byte[], byte[]> connection, LettuceWaits waits, String address) {
        this.connection = connection;
        this.waits = waits;
        this.node = new LettuceNode(connection, address);
    }

    @Override
    public CompletableFuture<LettuceNode> nodeFor(byte[][] keys) {
        return node.itself();
    }

    @Override
    public CompletableFuture<List<LettuceNode>> primaries() {
        return node.itself().thenApply(List::of);
    }

    @Override
    public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[][] args) {
        return waits.run(wanted, wait, script, keys, args);
    }

    @Override
    public void onReturn(Runnable action) {
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> back, SocketAddress address) {
                action.run();
            }
        });
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public Duration timeout() {
        return connection.getTimeout();
    }

    @Override
    public CompletionStage<?> close() {
        return CompletableFuture.allOf(waits.close().toCompletableFuture(), connection.closeAsync());
    }
}
