package io.tenure.redis.jedis;

import io.tenure.redis.RedisPort;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import redis.clients.jedis.Connection;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.IOUtils;
import redis.clients.jedis.util.Pool;

/** Takes clients of the application's. Thread-safe, without state. */
public final class JedisClients {
    private static final String GIVEN = "the server of the given Jedis client";

    private JedisClients() {}

    /** A port over a client of the application's, which stays open. */
    public static RedisPort port(UnifiedJedis client) {
        JedisTopology topology = topology(client);
        JedisTopology.Place first = null;
        try {
            first = topology.owner(JedisTopology.NO_SLOT);
            return new JedisPort(topology, JedisLimits.of(socketTimeout(first)));
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            throw JedisFailures.of(e, first == null ? GIVEN : first.server());
        }
    }

    private static Duration socketTimeout(JedisTopology.Place place) throws Exception {
        JedisNode asked = new JedisNode(place.server(), place.pool(), JedisLimits.of(Duration.ofSeconds(2)));
        try (Connection connection = asked.borrow()) {
            int millis = connection.getSoTimeout();
            if (millis == 0) {
                throw new IllegalArgumentException("The socket time-out of the Jedis client to " + place.server()
                        + " is 0, which is for ever: a server that hangs would keep its threads. Set one of at most half the"
                        + " shortest ttl (socketTimeoutMillis)");
            }
            return Duration.ofMillis(millis);
        }
    }

    static JedisTopology topology(UnifiedJedis client) {
        ConnectionProvider provider = provider(client);
        if (provider instanceof ClusterConnectionProvider cluster) {
            return new JedisSlots(cluster);
        }
        if (provider instanceof SentineledConnectionProvider sentinels) {
            return new JedisOneServer(() -> only(sentinels.getConnectionMap()));
        }
        if (provider instanceof PooledConnectionProvider pooled) {
            JedisTopology.Place place = only(pooled.getConnectionMap());
            return new JedisOneServer(() -> place);
        }
        throw new IllegalArgumentException("Leases cannot be kept by this Jedis client, "
                + client.getClass().getName() + " over "
                + (provider == null
                        ? "a connection of its own"
                        : provider.getClass().getName())
                + ": it has to be one with a pool of connections to a server, to the primary that sentinels name, or to a"
                + " cluster (RedisClient, RedisSentinelClient, RedisClusterClient)");
    }

    private static JedisTopology.Place only(Map<?, Pool<Connection>> pools) {
        Map.Entry<?, ?> only = pools.entrySet().iterator().next();
        if (!(only.getValue() instanceof Pool<?>)) {
            // Up to Jedis 6 a client of sentinels lends a connection here, from a pool that it keeps to itself.
            IOUtils.closeQuietly((AutoCloseable) only.getValue());
            throw new IllegalArgumentException(
                    "Leases cannot be kept by this Jedis client, since this version does not show"
                            + " the pool of its connections to the primary that sentinels name: use Jedis 7.5 or newer");
        }
        String server = String.valueOf(only.getKey());
        return new JedisTopology.Place(
                server.contains(":") ? server : GIVEN, Objects.requireNonNull(pools.get(only.getKey())));
    }

    /**
     * Where the client gets its connections from: a field that Jedis shows to subclasses only, by this name since version 4.
     * What the client itself offers sends a command again when its connection breaks, on a cluster and wherever a number
     * of attempts was set (docs/decisions/0008).
     */
    private static ConnectionProvider provider(UnifiedJedis client) {
        try {
            Field provider = UnifiedJedis.class.getDeclaredField("provider");
            provider.setAccessible(true);
            return (ConnectionProvider) provider.get(Objects.requireNonNull(client, "client"));
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new IllegalStateException(
                    "This version of Jedis is not known: Jedis 5 to 8 keep their connections where it does not", e);
        }
    }
}
