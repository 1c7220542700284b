package io.tenure.redis.jedis;

import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.ReadmeUser;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SentinelGroup;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;

/** Clients of an application's. */
public final class JedisFixture {
    /** Half the shortest ttl of the tests, and more than a busy machine pauses. */
    public static final Duration SOCKET_TIMEOUT = Duration.ofMillis(350);

    private JedisFixture() {}

    public static RedisClient client(String host, int port) {
        return client(host, port, SOCKET_TIMEOUT);
    }

    public static RedisClient client(String host, int port, Duration socketTimeout) {
        return RedisClient.builder()
                .hostAndPort(host, port)
                .clientConfig(config(socketTimeout))
                .poolConfig(pool(16))
                .build();
    }

    /** One with as many connections. */
    public static UnifiedJedis small(int port, int connections, Duration socketTimeout) {
        return RedisClient.builder()
                .hostAndPort(RedisProcess.HOST, port)
                .clientConfig(config(socketTimeout))
                .poolConfig(pool(connections))
                .build();
    }

    /** One of the user that the README makes. */
    public static UnifiedJedis limited(RedisProcess server, Duration socketTimeout) {
        return RedisClient.builder()
                .hostAndPort(RedisProcess.HOST, server.port())
                .clientConfig(limited(socketTimeout))
                .poolConfig(pool(16))
                .build();
    }

    public static UnifiedJedis client(SentinelGroup group, Duration socketTimeout) {
        return client(group, socketTimeout, 16);
    }

    public static UnifiedJedis client(SentinelGroup group, Duration socketTimeout, int connections) {
        return client(group, config(socketTimeout), config(socketTimeout), connections);
    }

    /** As {@link #limited(RedisProcess, Duration)}; sentinels have users of their own. */
    public static UnifiedJedis limited(SentinelGroup group, Duration socketTimeout) {
        return client(group, limited(socketTimeout), config(socketTimeout), 16);
    }

    private static UnifiedJedis client(
            SentinelGroup group, JedisClientConfig ofServers, JedisClientConfig ofSentinels, int connections) {
        return RedisSentinelClient.builder()
                .sentinels(group.sentinels().stream().map(JedisFixture::at).collect(Collectors.toSet()))
                .masterName(SentinelGroup.NAME)
                .clientConfig(ofServers)
                .sentinelClientConfig(ofSentinels)
                .poolConfig(pool(connections))
                .build();
    }

    public static UnifiedJedis client(ClusterGroup cluster, Duration socketTimeout) {
        return client(cluster, config(socketTimeout));
    }

    /** As {@link #limited(RedisProcess, Duration)}. */
    public static UnifiedJedis limited(ClusterGroup cluster, Duration socketTimeout) {
        return client(cluster, limited(socketTimeout));
    }

    /** @param relays the ports to connect to instead of those that the cluster names */
    public static UnifiedJedis client(ClusterGroup cluster, Duration socketTimeout, Map<Integer, Integer> relays) {
        return client(
                cluster,
                DefaultJedisClientConfig.builder()
                        .socketTimeoutMillis((int) socketTimeout.toMillis())
                        .hostAndPortMapper(node ->
                                new HostAndPort(node.getHost(), relays.getOrDefault(node.getPort(), node.getPort())))
                        .build());
    }

    private static UnifiedJedis client(ClusterGroup cluster, JedisClientConfig config) {
        Set<HostAndPort> nodes = cluster.nodes().stream().map(JedisFixture::at).collect(Collectors.toSet());
        return RedisClusterClient.builder()
                .nodes(nodes)
                .clientConfig(config)
                .poolConfig(pool(16))
                .build();
    }

    /** One that is to send what failed again, up to five times, over connections of the test's own making. */
    @SuppressWarnings("deprecation") // applications that were written for Jedis 5 to 7 have such clients
    public static UnifiedJedis retrying(ConnectionProvider provider) {
        return new UnifiedJedis(provider, 5, Duration.ofSeconds(30));
    }

    private static HostAndPort at(RedisProcess server) {
        return new HostAndPort(RedisProcess.HOST, server.port());
    }

    public static JedisClientConfig config(Duration socketTimeout) {
        return DefaultJedisClientConfig.builder()
                .socketTimeoutMillis((int) socketTimeout.toMillis())
                .build();
    }

    private static JedisClientConfig limited(Duration socketTimeout) {
        return DefaultJedisClientConfig.builder()
                .socketTimeoutMillis((int) socketTimeout.toMillis())
                .user(ReadmeUser.NAME)
                .password(ReadmeUser.PASSWORD)
                .build();
    }

    private static ConnectionPoolConfig pool(int connections) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        return pool;
    }
}
