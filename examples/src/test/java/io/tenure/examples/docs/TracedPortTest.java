package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.tenure.HeldLock;
import io.tenure.Tenure;
import io.tenure.examples.LocalRedis;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
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
}
