package io.tenure.redis.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One server, or whichever the client connects to. */
final class LettuceServer implements LettuceTopology {
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final LettuceNode node;

    LettuceServer(StatefulRedisConnection<byte[], byte[]> connection, String address) {
        this.connection = connection;
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
    public void unanswered(LettuceNode node) {}

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
    public void close() {
        connection.close();
    }
}
