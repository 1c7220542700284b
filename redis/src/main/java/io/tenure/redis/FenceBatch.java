package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Many writes under one check of the token, in one step at the server: {@code fence.batch(token).hset(...).del(...)
 * .apply()}. A stale token writes nothing. A write that the server refuses (a key of another type) fails the batch; as
 * in any script of Redis, those before it stay, and the mark does not move. The server does nothing else meanwhile, so a
 * batch takes {@link #MOST_WRITES} at most; adding one more is an {@link IllegalStateException}. For one use, by one
 * thread.
 */
public final class FenceBatch {
    /** How many writes one batch takes. */
    public static final int MOST_WRITES = 10_000;

    private final AsyncRedisFence fence;
    private final long token;
    private final List<String> keys = new ArrayList<>();
    private final List<byte[]> writes = new ArrayList<>();

    FenceBatch(AsyncRedisFence fence, long token) {
        this.fence = fence;
        this.token = token;
    }

    /** Adds the setting of a field of a hash. */
    public FenceBatch hset(String key, String field, String value) {
        return hset(key, field, value.getBytes(UTF_8));
    }

    /** Adds the setting of a field of a hash to bytes. */
    public FenceBatch hset(String key, String field, byte[] value) {
        return add(key, 'h', field.getBytes(UTF_8), value);
    }

    /** Adds the setting of a key. */
    public FenceBatch set(String key, String value) {
        return set(key, value.getBytes(UTF_8));
    }

    /** Adds the setting of a key to bytes. */
    public FenceBatch set(String key, byte[] value) {
        return add(key, 's', value);
    }

    /** Adds the deletion of a key. */
    public FenceBatch del(String key) {
        return add(key, 'd');
    }

    private FenceBatch add(String key, char kind, byte[]... args) {
        if (keys.size() == MOST_WRITES) {
            throw new IllegalStateException("A batch takes " + MOST_WRITES + " writes at most, and the one to '" + key
                    + "' is one more: apply what there is, and go on with another batch, whose token is checked anew");
        }
        keys.add(key);
        writes.add(new byte[] {(byte) kind});
        writes.addAll(List.of(args));
        return this;
    }

    /**
     * Applies the writes, in order; blocks until it has been done.
     *
     * @throws io.tenure.StaleTokenException when the token is not current; nothing was written
     * @throws io.tenure.StoreException when the server refused one of the writes, or, a transient one, when they may have
     *     been applied
     */
    public void apply() {
        RedisFence.await(fence, applyAsync());
    }

    /** As {@link #apply()}, without blocking; the stage has the number of the writes, or fails with what the other throws. */
    public CompletionStage<Long> applyAsync() {
        List<byte[]> args = new ArrayList<>(writes.size() + 1);
        args.add(RedisLeaseStore.number(keys.size()));
        args.addAll(writes);
        return fence.applyBatch(token, keys, args);
    }
}
