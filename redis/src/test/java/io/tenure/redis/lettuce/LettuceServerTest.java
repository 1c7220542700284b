package io.tenure.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.lettuce.LettuceServer.Guide;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Looks for another server whose connections take longer to be made than anybody waits for them. */
class LettuceServerTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private final List<CompletableFuture<LettuceOpened<StatefulRedisConnection<byte[], byte[]>>>> looks =
            new CopyOnWriteArrayList<>();
    private RedisClient client;
    private LettuceServer server;

    @BeforeEach
    void open() {
        client = RedisClient.create(redis.uri());
        server = new LettuceServer(
                "server",
                Guide.UNKNOWN,
                connection(),
                () -> {
                    looks.add(new CompletableFuture<>());
                    return looks.get(looks.size() - 1);
                },
                new LettuceWaits(CompletableFuture::new, "server"),
                () -> {});
    }

    @AfterEach
    void close() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }

    private LettuceOpened<StatefulRedisConnection<byte[], byte[]>> connection() {
        return LettuceOpened.by(client, () -> client.connect(ByteArrayCodec.INSTANCE));
    }

    private void doubtUntilLooks(int count) {
        await().atMost(BOUND).pollInSameThread().until(() -> {
            server.unanswered(server.primaries().join().get(0));
            return looks.size() == count;
        });
    }

    @Test
    void law19_closing_waits_for_every_look_that_is_under_way_and_leaves_none_of_their_connections() {
        server.unanswered(server.primaries().join().get(0));
        server.unanswered(server.primaries().join().get(0));
        assertThat(looks).as("one at a time, as long as it is waited for").hasSize(1);
        doubtUntilLooks(2);

        CompletableFuture<?> closed = server.close().toCompletableFuture();

        LettuceOpened<StatefulRedisConnection<byte[], byte[]>> last = connection();
        looks.get(1).complete(last);
        await().atMost(BOUND).until(() -> !last.connection().isOpen());
        assertThat(closed).as("the first one is being made still").isNotDone();
        LettuceOpened<StatefulRedisConnection<byte[], byte[]>> first = connection();
        looks.get(0).complete(first);
        assertThat(closed).succeedsWithin(BOUND);
        assertThat(first.connection().isOpen()).isFalse();
    }
}
