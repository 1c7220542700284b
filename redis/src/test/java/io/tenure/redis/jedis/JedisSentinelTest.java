package io.tenure.redis.jedis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.redis.JedisStores;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.StoreFixture;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SentinelGroup;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.UnifiedJedis;

/** A client that follows sentinels. */
class JedisSentinelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final SentinelGroup group = SentinelGroup.failingOver(1);

    private final String name = StoreFixture.fresh("job");

    @Test
    void leases_pushes_and_fences_follow_the_primary_through_a_fail_over() {
        try (UnifiedJedis client = JedisFixture.client(group, Duration.ofSeconds(2));
                RedisLeaseStore store = JedisStores.of(client)) {
            RedisProcess old = group.primary();
            assertThat(store).hasToString("RedisLeaseStore(127.0.0.1:" + old.port() + ")");
            Claim held = hold(store, election(claim(name, "a")));
            RedisFence fence = store.fence(name);
            fence.set(held.token(), name + ":data", "before");
            List<Duration> wakes = new CopyOnWriteArrayList<>();
            store.wakeups().await(name, "waiter", wakes::add);
            await().atMost(PATIENCE).until(() -> store.wakeups().isLive());
            denied(store, waiting(election(new Claim(name, "b", "waiter", 1, 0)), PATIENCE));
            group.awaitInSync();

            old.stop();
            RedisProcess next = group.awaitFailover(old);

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> renew(store, held, LeaseKind.ELECTION) instanceof Renewal.Renewed);
            assertThat(store).hasToString("RedisLeaseStore(127.0.0.1:" + next.port() + ")");
            fence.set(held.token(), name + ":data", "after");
            assertThat(client.get(name + ":data")).isEqualTo("after");
            await("pushes come from the new primary")
                    .atMost(PATIENCE)
                    .until(() -> store.wakeups().isLive());
            wakes.clear();
            assertThat(release(store, held)).isTrue();
            await().atMost(PATIENCE).until(() -> wakes.contains(Duration.ZERO));
            assertThat(hold(store, election(new Claim(name, "b", "waiter", 2, 0)))
                            .token())
                    .isGreaterThan(held.token());
        }
    }
}
