package io.tenure.redis.jedis;

import static io.tenure.redis.StoreFixture.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.redis.JedisStores;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import io.tenure.redis.StoreFixture;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SentinelGroup;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.UnifiedJedis;

/** A client that follows sentinels. */
class JedisSentinelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final SentinelGroup group = SentinelGroup.failingOver(1);

    private static final RedisScript COUNT = RedisScript.of("count", "return redis.call('INCR', KEYS[1])");

    private final String name = StoreFixture.fresh("job");

    @BeforeEach
    void startAll() {
        group.servers().stream().filter(server -> !server.isUp()).forEach(RedisProcess::start);
        group.awaitInSync();
    }

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

    @Test
    void law3_a_small_pool_that_is_busy_when_the_primary_dies_carries_out_every_call_once_at_most_and_goes_on() {
        try (UnifiedJedis client = JedisFixture.client(group, Duration.ofSeconds(2), 4);
                RedisPort port = JedisStores.port(client)) {
            RedisProcess old = group.primary();
            List<CompletionStage<RedisReply>> calls = new ArrayList<>();
            List<String> keys = new ArrayList<>();
            old.cli("CLIENT", "PAUSE", "60000", "WRITE");
            for (int i = 0; i < 100; i++) {
                keys.add(name + ":" + i);
                calls.add(port.run(COUNT, key(keys.get(i))));
            }
            await().atMost(PATIENCE).until(() -> old.cli("CLIENT", "LIST").contains("flags=b"));

            old.stop();
            group.awaitFailover(old);

            // Some fail, those that were still waiting for a thread may be sent to the new primary.
            await().atMost(PATIENCE)
                    .until(() -> calls.stream()
                            .allMatch(call -> call.toCompletableFuture().isDone()));
            assertThat(calls)
                    .as("what was under way is not sent to the next one")
                    .anyMatch(call -> call.toCompletableFuture().isCompletedExceptionally());
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> get(port.run(COUNT, key(name))).asLong() > 0);
            for (int i = 0; i < keys.size(); i++) {
                boolean failed = calls.get(i).toCompletableFuture().isCompletedExceptionally();
                assertThat(client.get(keys.get(i))).as(keys.get(i)).isEqualTo(failed ? null : "1");
            }
            List<CompletionStage<RedisReply>> next = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                next.add(port.run(COUNT, key(name + ":next")));
            }
            assertThat(next.stream().map(call -> get(call).asLong()).sorted())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 100).boxed().toList());
        }
    }

    private static byte[][] key(String key) {
        return new byte[][] {key.getBytes(UTF_8)};
    }
}
