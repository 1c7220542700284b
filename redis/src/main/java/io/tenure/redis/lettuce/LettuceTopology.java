package io.tenure.redis.lettuce;

import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Which server a script goes to. Thread-safe; only {@link #close()} blocks, for a bounded time. */
interface LettuceTopology {

    /** The server for a script with these keys; of a script without keys any that takes writes. */
    CompletableFuture<LettuceNode> nodeFor(byte[][] keys);

    /** The server that a reply {@code MOVED} or {@code ASK} names. */
    default CompletableFuture<LettuceNode> redirected(String reply) {
        return CompletableFuture.failedFuture(RedisErrors.ofReply(reply));
    }

    /** All servers that hold keys and take writes. */
    CompletableFuture<List<LettuceNode>> primaries();

    /** Told when a call was given up to which {@code node} had not answered. */
    void unanswered(LettuceNode node);

    /** What an error reply of {@code node} means here. */
    default StoreException refusal(LettuceNode node, String reply) {
        return RedisErrors.ofReply(reply);
    }

    /** As {@link io.tenure.redis.RedisPort#onReturn}. */
    void onReturn(Runnable action);

    boolean isCluster();

    /** That of the client; zero when it has none. */
    Duration timeout();

    /** Closes what this has opened. */
    void close();
}
