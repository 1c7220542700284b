package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/** Renewals while one of three primaries is silent: groups of different nodes do not wait for each other. */
class ClusterRenewalTest {
    private static final Duration TERM = Duration.ofSeconds(2);
    private static final int EACH = 10;

    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    @Test
    void by_lettuce_a_silent_primary_costs_only_its_own_leases_theirs() throws Exception {
        String url = cluster.uris().get(0).replace("redis://", "redis-cluster://");

        assertOnlyItsOwnAreLost(() -> RedisLeaseStore.connect(url));
    }

    @Test
    void by_jedis_a_silent_primary_costs_only_its_own_leases_theirs() throws Exception {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(16);
        try (UnifiedJedis client = RedisClusterClient.builder()
                .nodes(Set.of(new HostAndPort(
                        RedisProcess.HOST, cluster.nodes().get(0).port())))
                .clientConfig(DefaultJedisClientConfig.builder()
                        .socketTimeoutMillis((int) TERM.toMillis() / 2)
                        .build())
                .poolConfig(pool)
                .build()) {

            assertOnlyItsOwnAreLost(() -> JedisStores.of(client));
        }
    }

    private static void assertOnlyItsOwnAreLost(Supplier<RedisLeaseStore> store) throws InterruptedException {
        LockOptions options = LockOptions.ofTtl(TERM).renewed().build();
        Map<RedisProcess, List<HeldLock>> held = new HashMap<>();
        RedisProcess silent = cluster.primaries().get(1);
        try (Tenure tenure = Tenure.over(store.get()).open()) {
            while (held.size() < 3 || held.values().stream().anyMatch(locks -> locks.size() < EACH)) {
                String name = "{" + fresh("job") + "}";
                List<HeldLock> locks =
                        held.computeIfAbsent(cluster.ownerOf(cluster.slotOf(name)), key -> new ArrayList<>());
                if (locks.size() < EACH) {
                    locks.add(tenure.lock(name, options).tryAcquire().orElseThrow());
                }
            }
            silent.pause();
            long paused = System.nanoTime();
            try {
                List<HeldLock> lost = held.remove(silent);
                sleepUntil(paused + TERM.toNanos());
                assertThat(lost).as("past their deadline").noneMatch(HeldLock::isHeld);
                await().until(() -> lost.stream()
                        .allMatch(lock -> lock.ended().toCompletableFuture().isDone()));
                assertThat(lost)
                        .allSatisfy(lock -> assertThat(
                                        lock.ended().toCompletableFuture().join())
                                .isEqualTo(EndReason.EXPIRED));

                sleepUntil(paused + 3 * TERM.toNanos());

                assertThat(held.values())
                        .allSatisfy(locks -> assertThat(locks).hasSize(EACH).allMatch(HeldLock::isHeld));
            } finally {
                silent.resume();
            }
            cluster.awaitOk();
        }
    }

    /** What passes is the case: three terms without an answer. */
    private static void sleepUntil(long nanos) throws InterruptedException {
        Thread.sleep(Math.max(0, (nanos - System.nanoTime()) / 1_000_000 + 1));
    }
}
