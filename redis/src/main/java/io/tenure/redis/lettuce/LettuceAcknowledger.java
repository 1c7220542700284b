package io.tenure.redis.lettuce;

import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** Runs scripts that replicas have to acknowledge, over connections of its own. Thread-safe. */
interface LettuceAcknowledger {

    /** As {@link io.tenure.redis.RedisPort#runAcknowledged}. */
    CompletionStage<Acknowledgement.Outcome> run(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[][] args);

    /** Fails what is under way, and completes when no connection is open any more. */
    CompletionStage<?> close();
}
