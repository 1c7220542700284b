package io.tenure.tool.demo.redis;

import io.tenure.Fence;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.spi.LeaseStore;
import io.tenure.tool.demo.Names;
import io.tenure.tool.demo.Workplace;

/** Leases and fenced keys on one Redis server. */
final class RedisWorkplace implements Workplace {
    private final RedisLeaseStore redis;
    private final RedisFence fence;
    private final RedisKeys keys;

    RedisWorkplace(String url, Names names) {
        redis = RedisLeaseStore.connect(url);
        fence = redis.fence(names.role());
        keys = RedisKeys.of(names);
    }

    @Override
    public LeaseStore store() {
        return redis;
    }

    /** None: the election itself moves the mark. */
    @Override
    public Fence[] claims() {
        return new Fence[0];
    }

    @Override
    public void write(String way, long token, String value) {
        switch (way) {
            case RedisBackend.HSET -> fence.hset(token, keys.hash(), RedisKeys.FIELD, value);
            case RedisBackend.SET -> fence.set(token, keys.text(), value);
            default -> throw new IllegalArgumentException("unknown way to write: " + way);
        }
    }

    @Override
    public void close() {
        // The store was all.
    }
}
