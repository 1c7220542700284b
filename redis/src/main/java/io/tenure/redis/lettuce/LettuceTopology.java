package io.tenure.redis.lettuce;

import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** The servers that a client connects to. Thread-safe; nothing blocks. */
interface LettuceTopology extends LettuceRoutes {

    /** As {@link io.tenure.redis.RedisPort#runAcknowledged}. */
    CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[][] args);

    /** All servers that hold keys and take writes. */
    CompletableFuture<List<LettuceNode>> primaries();

    /** As {@link io.tenure.redis.RedisPort#onReturn}. */
    void onReturn(Runnable action);

    boolean isCluster();

    /** That of the client; zero when it has none. */
    Duration timeout();

    /** Closes what this has opened; complete when nothing of it is under way any more. */
    CompletionStage<?> close();
}
