package io.tenure.redis.lettuce;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Asks the node of a cluster that pushes come from, now and then, whether it is still there. Nothing else would: the leases
 * are on others, and a node that hangs keeps its connections.
 */
final class LettuceHeartbeat {
    private static final Duration BEAT = Duration.ofSeconds(2);

    private final LettuceSubscriptions pushes;
    private final ScheduledExecutorService timer;

    LettuceHeartbeat(LettuceSubscriptions pushes, ScheduledExecutorService timer) {
        this.pushes = pushes;
        this.timer = timer;
    }

    /** Goes on until pushes come from another connection; one that is silent is replaced. */
    void beat(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        if (connection.isOpen()) {
            connection
                    .async()
                    .ping()
                    .whenComplete((pong, failure) ->
                            answered.complete(failure == null || failure instanceof RedisCommandExecutionException));
        }
        try {
            timer.schedule(
                    () -> {
                        if (!pushes.isCurrent(connection)) {
                            return;
                        }
                        // One that is lost is the client's to connect again.
                        if (!connection.isOpen() || answered.getNow(false)) {
                            beat(connection);
                        } else {
                            pushes.renew();
                        }
                    },
                    BEAT.toMillis(),
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The client is shut down, and its connections with it.
            return;
        }
    }
}
