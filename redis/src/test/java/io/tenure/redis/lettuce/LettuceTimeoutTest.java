package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.tenure.StoreException;
import io.tenure.redis.BentPort;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How long callers block, by the time-out of the client. */
class LettuceTimeoutTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private final String name = fresh("job");
    private final List<RedisClient> clients = new ArrayList<>();

    @AfterEach
    void shutDown() {
        clients.forEach(client -> client.shutdown(0, 2, TimeUnit.SECONDS));
    }

    private RedisClient client(Duration timeout) {
        RedisURI uri = RedisURI.create(redis.uri());
        uri.setTimeout(timeout);
        RedisClient client = RedisClient.create(uri);
        clients.add(client);
        return client;
    }

    @Test
    void a_client_without_a_time_out_writes_by_fence_and_blocks_for_a_minute_at_most() {
        RedisClient client = client(Duration.ZERO);
        try (RedisPort port = LettuceStores.port(client);
                RedisLeaseStore store = LettuceStores.of(client)) {
            long token = granted(store, lock(claim(name, "a"))).token();

            store.fence(name).set(token, name + "-state", "v");

            assertThat(redis.cli().get(name + "-state")).isEqualTo("v");
            assertThat(port.timeout()).isEqualTo(Duration.ofSeconds(60));
        }
    }

    @Test
    void law27_a_time_out_that_nobody_can_wait_for_is_refused_with_its_value_and_no_connection_stays() {
        int before = connections();
        for (Duration bad : List.of(Duration.ofNanos(1), Duration.ofDays(2))) {
            RedisClient client = client(bad);

            assertThatThrownBy(() -> LettuceStores.of(client))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("time-out")
                    .hasMessageContaining("127.0.0.1:" + redis.port())
                    .hasMessageContaining(bad.toString());
        }
        await().until(() -> connections() == before);
    }

    private static int connections() {
        return redis.cli().clientList().split("\n").length;
    }

    @Test
    void law27_a_port_with_a_time_out_out_of_range_is_refused_by_stores_and_fences() {
        try (RedisPort port = LettuceStores.port(client(Duration.ofSeconds(5)))) {
            for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofSeconds(Long.MAX_VALUE))) {
                RedisPort bent = new BentPort(port, BentPort.Shape.STANDALONE, UnaryOperator.identity(), bad);

                assertThatThrownBy(() -> RedisLeaseStore.over(bent, RedisStoreOptions.defaults()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(bad.toString());
                assertThatThrownBy(() -> RedisFence.external(bent, name))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(bad.toString());
            }
        }
    }

    @Test
    void commands_of_a_connected_store_time_out_after_two_seconds_or_what_the_url_says() {
        assertThat(timesOutAfter("")).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(12));
        assertThat(timesOutAfter("?timeout=150ms")).isBetween(Duration.ofMillis(150), Duration.ofMillis(1_900));
    }

    /** How long the command itself, which nobody bounds from outside, stays under way on a server that does not answer. */
    private Duration timesOutAfter(String parameters) {
        try (RedisLeaseStore store = RedisLeaseStore.connect(redis.uri() + parameters)) {
            get(store.find(name));
            redis.pauseWrites();
            long sent = System.nanoTime();

            StoreException e = failure(() -> get(store.find(name)));

            Duration took = Duration.ofNanos(System.nanoTime() - sent);
            assertThat(e.isTransient()).isTrue();
            assertThat(e).hasMessageContaining("No answer").hasMessageContaining("in time");
            return took;
        } finally {
            redis.unpause();
        }
    }
}
