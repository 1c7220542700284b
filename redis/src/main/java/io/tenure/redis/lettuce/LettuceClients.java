package io.tenure.redis.lettuce;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.tenure.redis.RedisPort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Opens clients of Lettuce's for leases, and takes the application's. Thread-safe, without state. */
public final class LettuceClients {
    private static final String GIVEN = "the server of the given Lettuce client";
    private static final String GIVEN_CLUSTER = "the cluster of the given Lettuce client";
    private static final int HANDSHAKES = 4;

    private LettuceClients() {}

    /** A port over a client of the application's, which stays open. */
    public static RedisPort port(RedisClient client) {
        return given(client, GIVEN, () -> client.connect(ByteArrayCodec.INSTANCE), (connection, address) -> {
            String server = address.isEmpty() ? GIVEN : address;
            return new LettucePort(
                    new LettuceServer(
                            connection,
                            new LettuceWaits(
                                    () -> aside("acknowledge", () -> client.connect(ByteArrayCodec.INSTANCE)), server),
                            server),
                    new LettuceSubscriptions(
                            () -> aside("subscribe", () -> client.connectPubSub(ByteArrayCodec.INSTANCE)), server),
                    server,
                    () -> {});
        });
    }

    /** A port over a client of the application's for a cluster, which stays open. */
    public static RedisPort port(RedisClusterClient client) {
        return given(client, GIVEN_CLUSTER, () -> client.connect(ByteArrayCodec.INSTANCE), (connection, address) -> {
            String server = address.isEmpty() ? GIVEN_CLUSTER : "the cluster of " + address;
            return cluster(client, connection, server, () -> {});
        });
    }

    private static <C extends StatefulConnection<byte[], byte[]>> RedisPort given(
            AbstractRedisClient client, String server, Supplier<C> connecting, BiFunction<C, String, RedisPort> port) {
        LettuceConnections connections = new LettuceConnections();
        client.addListener(connections);
        try {
            C connection = open(connecting);
            return port.apply(connection, connections.address(connection, ""));
        } catch (RuntimeException e) {
            throw LettuceFailures.unreachable(server, "its command time-out", e);
        } finally {
            client.removeListener(connections);
        }
    }

    /** A port over a client of its own, with settings made for leases. */
    public static RedisPort connect(String uri) {
        ServerUrl url = ServerUrl.parse(uri);
        String server = LettuceUris.describe(url, uri);
        return url.isCluster() ? connectCluster(url, server) : connectServer(LettuceUris.parse(url, uri), server);
    }

    private static RedisPort connectServer(RedisURI target, String server) {
        ClientResources resources = LettuceSettings.resources();
        RedisClient client = RedisClient.create(resources, target);
        LettuceOwnClient own = new LettuceOwnClient(client, resources);
        return own.open(server, target.getTimeout(), () -> {
            client.setOptions(LettuceSettings.options());
            StatefulRedisConnection<byte[], byte[]> connection = open(() -> client.connect(ByteArrayCodec.INSTANCE));
            return new LettucePort(
                    new LettuceServer(
                            connection,
                            new LettuceWaits(() -> client.connectAsync(ByteArrayCodec.INSTANCE, target), server),
                            server),
                    new LettuceSubscriptions(() -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, target), server),
                    server,
                    own::shutDown);
        });
    }

    private static RedisPort connectCluster(ServerUrl url, String server) {
        List<RedisURI> nodes = LettuceUris.nodes(url);
        Duration timeout = nodes.get(0).getTimeout();
        ClientResources resources = LettuceSettings.resources();
        RedisClusterClient client = RedisClusterClient.create(resources, nodes);
        LettuceOwnClient own = new LettuceOwnClient(client, resources);
        return own.open(server, timeout, () -> {
            client.setOptions(LettuceSettings.clusterOptions());
            return cluster(client, open(() -> client.connect(ByteArrayCodec.INSTANCE)), server, own::shutDown);
        });
    }

    private static LettucePort cluster(
            RedisClusterClient client,
            StatefulRedisClusterConnection<byte[], byte[]> connection,
            String server,
            Runnable onClose) {
        LettuceSubscriptions pushes = new LettuceSubscriptions(
                () -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE).thenApply(open -> open), server);
        pushes.onOpen(new LettuceHeartbeat(pushes, client.getResources().eventExecutorGroup())::beat);
        return new LettucePort(new LettuceCluster(client, connection), pushes, server, onClose);
    }

    /** A client does not tell its URI, without which it connects only by blocking: once, on a thread of its own. */
    private static <C> CompletionStage<C> aside(String purpose, Supplier<C> connect) {
        CompletableFuture<C> opened = new CompletableFuture<>();
        Thread opener = new Thread(
                () -> {
                    try {
                        opened.complete(connect.get());
                    } catch (RuntimeException e) {
                        opened.completeExceptionally(e);
                    }
                },
                "tenure-redis-" + purpose);
        opener.setDaemon(true);
        opener.start();
        return opened;
    }

    /**
     * Connects. A refusal during the handshake now and then arrives as a bare end of the connection, when the end overtakes
     * the reason; asked again, the server tells it.
     */
    private static <C> C open(Supplier<C> connecting) {
        for (int handshake = 1; ; handshake++) {
            try {
                return connecting.get();
            } catch (RedisException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                if (handshake == HANDSHAKES
                        || !String.valueOf(cause.getMessage()).contains("closed prematurely")) {
                    throw e;
                }
            }
        }
    }
}
