package io.tenure.redis;

import io.lettuce.core.SetArgs;
import io.tenure.spi.LeaseStore;
import io.tenure.testkit.LeaseServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The server of a test class, as the contracts want it. */
final class ContractServer
        implements LeaseServer.GuardsState, LeaseServer.ForgetsLocks, LeaseServer.HoldsForeignLeases {
    private final RedisServerRule redis;
    private final StoreClient client;

    ContractServer(RedisServerRule redis) {
        this(redis, StoreClient.lettuce(redis.uri()));
    }

    ContractServer(RedisServerRule redis, StoreClient client) {
        this.redis = redis;
        this.client = client;
    }

    @Override
    public LeaseStore connect() {
        return client.store(RedisStoreOptions.defaults());
    }

    @Override
    public LeaseStore connect(Duration retention) {
        return client.store(RedisStoreOptions.builder().retention(retention).build());
    }

    @Override
    public void elapse(Duration span) {
        long end = System.nanoTime() + span.toNanos();
        try {
            for (long left = span.toNanos(); left > 0; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.sleep(left);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Duration shortTtl() {
        return Duration.ofMillis(750); // less than a busy machine may pause within a test would end leases early
    }

    @Override
    public void loseEverything() {
        redis.cli().flushall();
    }

    @Override
    public void loseCounter(String name) {
        redis.cli().del(name + ":fence");
    }

    @Override
    public void loseMark(String name) {
        redis.cli().del(name + ":fence:applied");
    }

    @Override
    public void plant(String name, String value, Duration ttl) {
        redis.cli().set(name + ":leader", value, SetArgs.Builder.px(ttl.toMillis()));
    }

    @Override
    public GuardedCell cell(LeaseStore client, String name) {
        return new Cell(((RedisLeaseStore) client).fence(name), "cell:" + name);
    }

    @Override
    public void close() {
        client.close();
    }

    private final class Cell implements LeaseServer.GuardedCell {
        private final RedisFence fence;
        private final String key;

        Cell(RedisFence fence, String key) {
            this.fence = fence;
            this.key = key;
        }

        @Override
        public void write(long token, String value) {
            fence.hset(token, key, "value", value);
        }

        @Override
        public void writeWhatFails(long token) {
            redis.cli().set(key + ":text", "text");
            fence.hset(token, key + ":text", "value", "x");
        }

        @Override
        public void claim(long token) {
            fence.claim(token);
        }

        @Override
        public String read() {
            String value = redis.cli().hget(key, "value");
            return value == null ? "" : value;
        }
    }
}
