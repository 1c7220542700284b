package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.HeldLock;
import io.tenure.Tenure;
import io.tenure.examples.LocalRedis;
import io.tenure.redis.JedisStores;
import io.tenure.redis.RedisLeaseStore;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The clients of Jedis in docs/stores/redis.md, made for one server here. There is neither a sentinel nor a cluster: clients for
 * those are seen to ask for one, with the settings shown.
 */
class JedisSnippetsTest {
    @RegisterExtension
    static final LocalRedis redis = new LocalRedis();

    private final HostAndPort server =
            new HostAndPort("127.0.0.1", URI.create(redis.uri()).getPort());

    // tag::jedis-settings
    /** Half the shortest ttl at most: a renewal that hangs is over in time for a second one. */
    static JedisClientConfig timeouts() {
        return DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis(1_000)
                .socketTimeoutMillis(1_000)
                .build();
    }

    /** For each server, four at least; beyond what leases use of it, 17, it is for your own commands. */
    static ConnectionPoolConfig pool() {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(24);
        pool.setMaxIdle(24);
        pool.setMaxWait(Duration.ofSeconds(1)); // without it a command waits for a connection for ever
        return pool;
    }
    // end::jedis-settings

    @Test
    void a_pooled_client_of_jedis_keeps_leases() throws Exception {
        // tag::jedis-pooled
        UnifiedJedis client = RedisClient.builder()
                .hostAndPort(server)
                .clientConfig(timeouts())
                .poolConfig(pool())
                .build();
        RedisLeaseStore store = JedisStores.of(client);
        // end::jedis-pooled
        try (client;
                Tenure tenure = Tenure.over(store).open();
                HeldLock held = tenure.lock("orders").acquire()) {
            assertThat(held.token()).isPositive();
            assertThat(store.shortestTtl()).isEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void a_client_of_jedis_asks_sentinels_for_the_primary() {
        Set<HostAndPort> sentinels = Set.of(server);
        assertThatThrownBy(() -> sentinel(sentinels).close())
                .as("the server is no sentinel")
                .isInstanceOf(JedisException.class)
                .hasMessageContaining("sentinel");
    }

    private static RedisLeaseStore sentinel(Set<HostAndPort> sentinels) {
        // tag::jedis-sentinel
        UnifiedJedis client = RedisSentinelClient.builder() // from Jedis 7.5 on
                .sentinels(sentinels)
                .masterName("primary")
                .clientConfig(timeouts())
                .sentinelClientConfig(timeouts())
                .poolConfig(pool())
                .build();
        RedisLeaseStore store = JedisStores.of(client);
        // end::jedis-sentinel
        return store;
    }

    @Test
    void a_client_of_jedis_asks_nodes_for_their_cluster() {
        Set<HostAndPort> nodes = Set.of(server);
        assertThatThrownBy(() -> cluster(nodes).close())
                .as("the server is no node of a cluster")
                .isInstanceOf(JedisException.class);
    }

    private static RedisLeaseStore cluster(Set<HostAndPort> nodes) {
        // tag::jedis-cluster
        UnifiedJedis client = RedisClusterClient.builder()
                .nodes(nodes) // some of them, the others are found
                .clientConfig(timeouts())
                .poolConfig(pool())
                .build();
        RedisLeaseStore store = JedisStores.of(client);
        // end::jedis-cluster
        return store;
    }
}
