package io.tenure.redis.jedis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.redis.JedisStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.StoreFixture;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.spi.Claim;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;

/** Clients of Jedis as stores: whose they are, which are refused, and how connecting fails. */
class JedisStoresTest {
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(2);

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private final String name = StoreFixture.fresh("job");

    @Test
    void a_client_of_the_users_stays_open() {
        try (UnifiedJedis client = JedisFixture.client("127.0.0.1", redis.port(), SOCKET_TIMEOUT)) {
            RedisLeaseStore store = JedisStores.of(client);
            store.wakeups().await(name, "inc", after -> {});
            await().until(() -> store.wakeups().isLive());
            Claim held = hold(store, lock(claim(name, "a")));
            assertThat(store).hasToString("RedisLeaseStore(127.0.0.1:" + redis.port() + ")");
            store.close();
            store.close();

            assertThat(client.get(name + ":leader")).contains("" + held.token());
            assertThat(failure(() -> get(store.find(name)))).hasMessageContaining(name);
        }
    }

    @Test
    void law27_a_socket_time_out_of_zero_or_beyond_a_day_is_refused_with_what_to_set() {
        try (UnifiedJedis client = JedisFixture.client("127.0.0.1", redis.port(), Duration.ZERO)) {
            assertThatThrownBy(() -> JedisStores.of(client))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("socket time-out")
                    .hasMessageContaining("socketTimeoutMillis");
        }
        Duration long1 = RedisPort.MAX_TIMEOUT.plusMillis(1);
        try (UnifiedJedis client = JedisFixture.client("127.0.0.1", redis.port(), long1)) {
            assertThatThrownBy(() -> JedisStores.of(client))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("" + long1);
        }
    }

    @Test
    void law27_a_ttl_below_twice_the_socket_time_out_is_refused_with_both() {
        Duration ttl = SOCKET_TIMEOUT.multipliedBy(2).minusMillis(1);
        try (UnifiedJedis client = JedisFixture.client("127.0.0.1", redis.port(), SOCKET_TIMEOUT);
                Tenure tenure = Tenure.over(JedisStores.of(client)).open()) {
            assertThatThrownBy(() -> tenure.lock(name, LockOptions.ofTtl(ttl).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("" + ttl)
                    .hasMessageContaining("" + SOCKET_TIMEOUT.multipliedBy(2));
            assertThat(tenure.lock(name, LockOptions.ofTtl(ttl.plusMillis(1)).build())
                            .tryAcquire())
                    .isPresent();
        }
    }

    @Test
    void law27_a_pool_that_is_too_small_for_renewals_beside_all_else_is_refused() {
        try (UnifiedJedis client = JedisFixture.small(redis.port(), 3, SOCKET_TIMEOUT)) {
            assertThatThrownBy(() -> JedisStores.of(client))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("3 connections")
                    .hasMessageContaining("at least 4");
        }
        try (UnifiedJedis client = JedisFixture.small(redis.port(), 4, SOCKET_TIMEOUT);
                RedisLeaseStore store = JedisStores.of(client)) {
            assertThat(release(store, hold(store, lock(claim(name, "a"))))).isTrue();
        }
    }

    @Test
    void law27_a_client_whose_connections_are_unknown_is_refused_with_those_that_are_not() {
        HostAndPort server = new HostAndPort(RedisProcess.HOST, redis.port());
        try (Connection one = new Connection(server);
                UnifiedJedis client = JedisFixture.retrying(new OneConnection(one))) {
            assertThatThrownBy(() -> JedisStores.of(client))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("OneConnection")
                    .hasMessageContaining("RedisClusterClient");
        }
    }

    private record OneConnection(Connection one) implements ConnectionProvider {
        @Override
        public Connection getConnection() {
            return one;
        }

        @Override
        public Connection getConnection(redis.clients.jedis.CommandArguments args) {
            return one;
        }

        @Override
        public void close() {
            one.close();
        }
    }

    @Test
    void a_pool_whose_connections_are_all_in_use_fails_after_the_time_out_and_says_so() {
        try (UnifiedJedis client = JedisFixture.small(redis.port(), 4, Duration.ofMillis(300));
                RedisLeaseStore store = JedisStores.of(client)) {
            try (Connection a = borrow(client);
                    Connection b = borrow(client);
                    Connection c = borrow(client);
                    Connection d = borrow(client)) {
                assertThat(java.util.List.of(a, b, c, d)).doesNotHaveDuplicates();
                StoreException e = failure(() -> get(store.find(name)));
                assertThat(e.isTransient()).isTrue();
                assertThat(e).hasMessageContaining("in use").hasMessageContaining("nothing was sent");
            }
            assertThat(get(store.find(name))).isEmpty();
        }
    }

    private static Connection borrow(UnifiedJedis client) {
        return ((RedisClient) client).getPool().getResource();
    }

    @Test
    void an_unreachable_server_is_named_with_host_and_port() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (UnifiedJedis client = JedisFixture.client("127.0.0.1", port, SOCKET_TIMEOUT)) {
            StoreException e = failure(() -> JedisStores.of(client));
            assertThat(e.isTransient()).isTrue();
            assertThat(e).hasMessageContaining("127.0.0.1:" + port);
        }
    }

    @Test
    void law27_wrong_credentials_fail_for_good_at_once() {
        redis.cli().aclSetuser("someone", AclSetuserArgs.Builder.on().addPassword("right"));
        try (UnifiedJedis client = RedisClient.builder()
                .hostAndPort("127.0.0.1", redis.port())
                .clientConfig(DefaultJedisClientConfig.builder()
                        .user("someone")
                        .password("s3cret")
                        .build())
                .build()) {
            StoreException e = failure(() -> JedisStores.of(client));
            assertThat(e.isTransient()).isFalse();
            assertThat(e).hasMessageContaining("credentials");
            assertThat(e.toString() + e.getCause()).doesNotContain("s3cret");
        }
    }
}
