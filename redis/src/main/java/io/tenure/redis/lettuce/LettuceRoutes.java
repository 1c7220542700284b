package io.tenure.redis.lettuce;

import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import java.util.concurrent.CompletableFuture;

/** Which server a script goes to, and where from there. Thread-safe. */
interface LettuceRoutes {

    /** The server for a script with these keys; of a script without keys any that takes writes. */
    CompletableFuture<LettuceNode> nodeFor(byte[][] keys);

    /** The server that a reply {@code MOVED} or {@code ASK} names. */
    default CompletableFuture<LettuceNode> redirected(String reply) {
        return CompletableFuture.failedFuture(RedisErrors.ofReply(reply));
    }

    /** Told when a call was given up to which {@code node} had not answered. */
    default void unanswered(LettuceNode node) {}

    /** What an error reply of {@code node} means here. */
    default StoreException refusal(LettuceNode node, String reply) {
        return RedisErrors.ofReply(reply);
    }
}
