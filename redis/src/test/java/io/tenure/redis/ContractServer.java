package io.tenure.redis;

import io.tenure.spi.LeaseStore;
import io.tenure.testkit.LeaseServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The servers of a test class, as the contracts want them. */
public final class ContractServer
        implements LeaseServer.GuardsState, LeaseServer.ForgetsLocks, LeaseServer.HoldsForeignLeases {
    private final Primaries primaries;
    private final StoreClient client;

    ContractServer(RedisServerRule redis) {
        this(Primaries.of(redis), StoreClient.lettuce(redis.uri()));
    }

    public ContractServer(Primaries primaries, StoreClient client) {
        this.primaries = primaries;
        this.client = client;
    }

    private String cli(String verb, String key, String... rest) {
        return primaries
                .ownerOf(key)
                .cli(Stream.concat(Stream.of(verb, key), Stream.of(rest)).toArray(String[]::new));
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
        primaries.all().forEach(primary -> primary.cli("FLUSHALL"));
    }

    @Override
    public void loseCounter(String name) {
        cli("DEL", name + ":fence");
    }

    @Override
    public void loseMark(String name) {
        cli("DEL", name + ":fence:applied");
    }

    @Override
    public void plant(String name, String value, Duration ttl) {
        cli("SET", name + ":leader", value, "PX", "" + ttl.toMillis());
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
            cli("SET", key + ":text", "text");
            fence.hset(token, key + ":text", "value", "x");
        }

        @Override
        public void claim(long token) {
            fence.claim(token);
        }

        @Override
        public String read() {
            return cli("HGET", key, "value");
        }
    }
}
