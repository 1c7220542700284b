package io.tenure.redis;

import java.util.List;

/** The writes of a {@link RedisFence} with the token of one lease; they fail in the same ways. Thread-safe. */
public final class BoundRedisFence {
    private final AsyncRedisFence fence;
    private final long token;

    BoundRedisFence(AsyncRedisFence fence, long token) {
        this.fence = fence;
        this.token = token;
    }

    /** The token that the writes carry. */
    public long token() {
        return token;
    }

    /**
     * Sets {@code field} of the hash at {@code key}.
     *
     * @throws io.tenure.StaleTokenException as {@link RedisFence#hset(long, String, String, String)}
     * @throws io.tenure.StoreException as {@link RedisFence#hset(long, String, String, String)}
     */
    public void hset(String key, String field, String value) {
        RedisFence.await(fence, fence.hset(token, key, field, value));
    }

    /**
     * Sets {@code field} of the hash at {@code key} to bytes.
     *
     * @throws io.tenure.StaleTokenException as {@link RedisFence#hset(long, String, String, byte[])}
     * @throws io.tenure.StoreException as {@link RedisFence#hset(long, String, String, byte[])}
     */
    public void hset(String key, String field, byte[] value) {
        RedisFence.await(fence, fence.hset(token, key, field, value));
    }

    /**
     * Sets {@code key}.
     *
     * @throws io.tenure.StaleTokenException as {@link RedisFence#set(long, String, String)}
     * @throws io.tenure.StoreException as {@link RedisFence#set(long, String, String)}
     */
    public void set(String key, String value) {
        RedisFence.await(fence, fence.set(token, key, value));
    }

    /**
     * Sets {@code key} to bytes.
     *
     * @throws io.tenure.StaleTokenException as {@link RedisFence#set(long, String, byte[])}
     * @throws io.tenure.StoreException as {@link RedisFence#set(long, String, byte[])}
     */
    public void set(String key, byte[] value) {
        RedisFence.await(fence, fence.set(token, key, value));
    }

    /**
     * Deletes keys, and tells how many there were.
     *
     * @throws io.tenure.StaleTokenException as {@link RedisFence#del}
     * @throws io.tenure.StoreException as {@link RedisFence#del}
     */
    public long del(String... keys) {
        return RedisFence.await(fence, fence.del(token, keys));
    }

    /**
     * Runs a Lua body; see {@link RedisFence#eval(long, String, List, List)}.
     *
     * @throws io.tenure.StaleTokenException as {@link RedisFence#eval(long, String, List, List)}
     * @throws io.tenure.StoreException as {@link RedisFence#eval(long, String, List, List)}
     */
    public RedisReply eval(String body, List<String> keys, List<String> args) {
        return RedisFence.await(fence, fence.eval(token, body, keys, args));
    }

    /**
     * Runs a Lua body with arguments of bytes.
     *
     * @throws io.tenure.StaleTokenException as {@link RedisFence#eval(long, String, List, byte[]...)}
     * @throws io.tenure.StoreException as {@link RedisFence#eval(long, String, List, byte[]...)}
     */
    public RedisReply eval(String body, List<String> keys, byte[]... args) {
        return RedisFence.await(fence, fence.eval(token, body, keys, args));
    }

    /** Many writes under one check. */
    public FenceBatch batch() {
        return fence.batch(token);
    }

    /**
     * Checks the token, or raises the mark to it; see {@link RedisFence#claim(long)}.
     *
     * @throws io.tenure.StaleTokenException as {@link RedisFence#claim(long)}
     * @throws io.tenure.StoreException as {@link RedisFence#claim(long)}
     */
    public void claim() {
        RedisFence.await(fence, fence.claim(token));
    }

    /** The same writes for callers that do not block. */
    public BoundAsyncRedisFence async() {
        return new BoundAsyncRedisFence(fence, token);
    }
}
