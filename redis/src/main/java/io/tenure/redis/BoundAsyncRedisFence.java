package io.tenure.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** The writes of an {@link AsyncRedisFence} with the token of one lease; they fail in the same ways. Thread-safe. */
public final class BoundAsyncRedisFence {
    private final AsyncRedisFence fence;
    private final long token;

    BoundAsyncRedisFence(AsyncRedisFence fence, long token) {
        this.fence = fence;
        this.token = token;
    }

    /** The token that the writes carry. */
    public long token() {
        return token;
    }

    /** Sets {@code field} of the hash at {@code key}. */
    public CompletionStage<Void> hset(String key, String field, String value) {
        return fence.hset(token, key, field, value);
    }

    /** Sets {@code field} of the hash at {@code key} to bytes. */
    public CompletionStage<Void> hset(String key, String field, byte[] value) {
        return fence.hset(token, key, field, value);
    }

    /** Sets {@code key}. */
    public CompletionStage<Void> set(String key, String value) {
        return fence.set(token, key, value);
    }

    /** Sets {@code key} to bytes. */
    public CompletionStage<Void> set(String key, byte[] value) {
        return fence.set(token, key, value);
    }

    /** Deletes keys, and tells how many there were. */
    public CompletionStage<Long> del(String... keys) {
        return fence.del(token, keys);
    }

    /** Runs a Lua body; see {@link RedisFence#eval(long, String, List, List)}. */
    public CompletionStage<RedisReply> eval(String body, List<String> keys, List<String> args) {
        return fence.eval(token, body, keys, args);
    }

    /** Runs a Lua body with arguments of bytes. */
    public CompletionStage<RedisReply> eval(String body, List<String> keys, byte[]... args) {
        return fence.eval(token, body, keys, args);
    }

    /** Many writes under one check. */
    public FenceBatch batch() {
        return fence.batch(token);
    }

    /** Checks the token, or raises the mark to it; see {@link RedisFence#claim(long)}. */
    public CompletionStage<Void> claim() {
        return fence.claim(token);
    }
}
