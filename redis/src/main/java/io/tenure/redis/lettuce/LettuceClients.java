package io.tenure.redis.lettuce;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.tenure.redis.RedisPort;
import io.tenure.redis.lettuce.LettuceServer.Guide;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** Opens clients of Lettuce's for leases, and takes the application's. Thread-safe, without state. */
public final class LettuceClients {
    private static final String GIVEN = "the server of the given Lettuce client";
    private static final String GIVEN_CLUSTER = "the cluster of the given Lettuce client";

    private LettuceClients() {}

    /** A port over a client of the application's, which stays open. */
    public static RedisPort port(RedisClient client) {
        Objects.requireNonNull(client, "client");
        LettuceOpened<StatefulRedisConnection<byte[], byte[]>> first =
                given(GIVEN, () -> LettuceOpened.by(client, () -> client.connect(ByteArrayCodec.INSTANCE)));
        String server = first.address().isEmpty() ? GIVEN : first.address();
        LettuceSubscriptions pushes = new LettuceSubscriptions(
                () -> LettuceOpened.inBackground(
                        "tenure-redis-subscribe", () -> client.connectPubSub(ByteArrayCodec.INSTANCE)),
                server);
        LettuceWaits waits = new LettuceWaits(
                () -> LettuceOpened.inBackground(
                        "tenure-redis-acknowledge", () -> client.connect(ByteArrayCodec.INSTANCE)),
                server);
        return server(client, Guide.UNKNOWN, first, waits, pushes, server, () -> {});
    }

    /** A port over a client of the application's for a cluster, which stays open. */
    public static RedisPort port(RedisClusterClient client) {
        Objects.requireNonNull(client, "client");
        LettuceOpened<StatefulRedisClusterConnection<byte[], byte[]>> first =
                given(GIVEN_CLUSTER, () -> LettuceOpened.by(client, () -> client.connect(ByteArrayCodec.INSTANCE)));
        String server = first.address().isEmpty() ? GIVEN_CLUSTER : "the cluster of " + first.address();
        return cluster(client, first.connection(), server, () -> {});
    }

    private static <T> T given(String server, Supplier<T> connecting) {
        try {
            return connecting.get();
        } catch (RuntimeException e) {
            throw LettuceFailures.unreachable(server, "its command time-out", e);
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
            LettuceSubscriptions pushes =
                    new LettuceSubscriptions(() -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, target), server);
            return server(
                    client,
                    target.getSentinels().isEmpty() ? Guide.UNKNOWN : Guide.SENTINELS,
                    LettuceOpened.by(client, () -> client.connect(ByteArrayCodec.INSTANCE)),
                    new LettuceWaits(() -> client.connectAsync(ByteArrayCodec.INSTANCE, target), server),
                    pushes,
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
            return cluster(
                    client,
                    LettuceOpened.by(client, () -> client.connect(ByteArrayCodec.INSTANCE))
                            .connection(),
                    server,
                    own::shutDown);
        });
    }

    private static LettucePort server(
            RedisClient client,
            Guide guide,
            LettuceOpened<StatefulRedisConnection<byte[], byte[]>> first,
            LettuceWaits waits,
            LettuceSubscriptions pushes,
            String server,
            Runnable onClose) {
        LettuceServer topology = new LettuceServer(
                server,
                guide,
                first,
                () -> LettuceOpened.inBackground(
                        "tenure-redis-look",
                        () -> LettuceOpened.by(client, () -> client.connect(ByteArrayCodec.INSTANCE))),
                waits,
                pushes::renew);
        return new LettucePort(topology, pushes, server, onClose);
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
}
