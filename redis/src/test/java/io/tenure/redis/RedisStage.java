package io.tenure.redis;

import io.tenure.Timeline;
import io.tenure.spi.LeaseStore;
import io.tenure.testkit.faces.RealTimeStage;
import io.tenure.testkit.faces.Stage;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The server of a test class, as the laws of the faces want it: real time, and one client for all stores. */
final class RedisStage implements Stage {
    private final StoreClient client;
    private final Stage stage;

    RedisStage(RedisServerRule redis) {
        this(StoreClient.lettuce(redis.uri()));
    }

    RedisStage(StoreClient client) {
        this.client = client;
        stage = new RealTimeStage(() -> client.store(RedisStoreOptions.defaults()), Duration.ofMillis(1_500));
    }

    @Override
    public LeaseStore connect() {
        return stage.connect();
    }

    @Override
    public Optional<Timeline> timeline() {
        return stage.timeline();
    }

    @Override
    public Duration ttl() {
        return stage.ttl();
    }

    @Override
    public long nanos() {
        return stage.nanos();
    }

    @Override
    public void elapse(Duration span) {
        stage.elapse(span);
    }

    @Override
    public boolean comesTrue(Duration span, BooleanSupplier condition) {
        return stage.comesTrue(span, condition);
    }

    @Override
    public void close() {
        client.close();
    }
}
