package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.tenure.HeldLock;
import io.tenure.NotAcknowledgedException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.examples.LocalRedis;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisStoreOptions;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The port of docs/binding-a-client.md, under a lock that is handed over. */
class TracedPortTest {
    @RegisterExtension
    static final LocalRedis redis = new LocalRedis();

    private final List<String> traced = new CopyOnWriteArrayList<>();

    private final TracedPort.Trace trace = new TracedPort.Trace() {
        @Override
        public void ran(String script, Duration took, boolean answered) {
            traced.add(script + " " + answered);
        }

        @Override
        public void pushes(String channel, String state) {
            traced.add(state);
        }
    };

    @Test
    void a_lock_is_handed_over_by_a_push_and_everything_is_traced() throws Exception {
        RedisClient client = RedisClient.create(redis.uri());
        // tag::use
        RedisLeaseStore store =
                RedisLeaseStore.over(new TracedPort(LettuceStores.port(client), trace), RedisStoreOptions.defaults());
        // end::use
        try (Tenure waiting = Tenure.over(store).open();
                Tenure holding = Tenure.over(LettuceStores.of(client)).open()) {
            HeldLock held = holding.lock("job").acquire();
            CompletableFuture<Boolean> waited = waiting.lock("job")
                    .tryAcquireAsync(Duration.ofSeconds(60))
                    .thenApply(got -> got.isPresent())
                    .toCompletableFuture();
            await().until(() -> traced.contains("established") && traced.contains("acquire true"));

            held.close();

            assertThat(waited.join()).isTrue();
            assertThat(traced).contains("message");
        } finally {
            client.shutdown();
        }
        assertThat(traced).contains("release true").doesNotContain("lost", "refused");
    }

    @Test
    void every_method_of_a_port_is_handed_on_what_has_a_default_too() {
        assertThat(RedisPort.class.getMethods())
                .filteredOn(method -> !Modifier.isStatic(method.getModifiers()))
                .hasSizeGreaterThan(8)
                .allSatisfy(method -> assertThatCode(
                                () -> TracedPort.class.getDeclaredMethod(method.getName(), method.getParameterTypes()))
                        .as(method.toString())
                        .doesNotThrowAnyException());
    }

    @Test
    void a_strict_store_refuses_a_dangerous_server_through_it() {
        RedisStoreOptions strict = RedisStoreOptions.builder().strict().build();
        RedisClient client = RedisClient.create(redis.uri());
        redis.cli().configSet("maxmemory", "64mb");
        redis.cli().configSet("maxmemory-policy", "allkeys-lru");
        try (RedisPort port = new TracedPort(LettuceStores.port(client), trace)) {
            assertThatThrownBy(() -> RedisLeaseStore.over(port, strict))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            refusal -> assertThat(refusal.isTransient()).isFalse())
                    .hasMessageContaining("maxmemory-policy=allkeys-lru");
        } finally {
            redis.cli().configSet("maxmemory-policy", "noeviction");
            redis.cli().configSet("maxmemory", "0");
            client.shutdown();
        }
    }

    @Test
    void replicas_are_asked_through_it() {
        RedisStoreOptions acknowledged = RedisStoreOptions.builder()
                .minReplicas(1, Duration.ofMillis(250))
                .build();
        RedisClient client = RedisClient.create(redis.uri());
        RedisPort port = new TracedPort(LettuceStores.port(client), trace);
        try (Tenure tenure =
                Tenure.over(RedisLeaseStore.over(port, acknowledged)).open()) {
            // This server has none: it was asked, and the grant taken back.
            assertThatThrownBy(() -> tenure.lock("asked").tryAcquire()).isInstanceOf(NotAcknowledgedException.class);
        } finally {
            client.shutdown();
        }
        assertThat(traced).contains("acquire true", "release true");
    }
}
