package io.tenure.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.RedisClusterClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Looks at a cluster that begin while all is closed. */
class LettuceRefreshTest {
    private final CompletableFuture<Void> look = new CompletableFuture<>();
    private Runnable onLook = () -> {};
    private int looks;

    private final RedisClusterClient client = new RedisClusterClient() {
        @Override
        public CompletionStage<Void> refreshPartitionsAsync() {
            looks++;
            onLook.run();
            return look;
        }
    };
    private final LettuceRefresh refresh = new LettuceRefresh(client, () -> true);

    @AfterEach
    void close() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }

    @Test
    void law19_closing_waits_for_a_look_that_begins_at_the_same_time() {
        CompletableFuture<Object> closed = new CompletableFuture<>();
        onLook = () -> refresh.close().whenComplete((end, failure) -> closed.complete("closed"));

        refresh.lost();

        assertThat(closed).as("the look opens connections yet").isNotDone();
        look.complete(null);
        assertThat(closed).isCompleted();
    }

    @Test
    void law19_nobody_looks_after_all_was_closed() {
        assertThat(refresh.close()).isCompleted();

        refresh.lost();

        assertThat(looks).isZero();
        assertThat(refresh.close()).isCompleted();
    }
}
