package io.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KillArgs;
import io.tenure.HeldLock;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Releases on connections that the server has just closed, while it is up throughout. */
class BrokenConnectionReleaseTest {
    private static final int ROUNDS = 10;

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis", "connect"})
    void law18_a_release_over_a_connection_that_was_closed_under_it_frees_the_name_all_the_same(String make) {
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        try (StoreClient client = client(make);
                Tenure tenure = Tenure.over(
                                client.store(RedisStoreOptions.builder().build()))
                        .observer(events::add)
                        .open()) {
            for (int round = 0; round < ROUNDS; round++) {
                String name = StoreFixture.fresh("released");
                HeldLock held = tenure.lock(name).tryAcquire().orElseThrow();
                redis.cli().clientKill(KillArgs.Builder.typeNormal().skipme());

                held.release();

                assertThat(redis.cli().exists(name + ":leader")).isZero();
            }
        }
        assertThat(events).noneMatch(TenureEvent.ReleaseFailed.class::isInstance);
    }

    private static StoreClient client(String make) {
        return switch (make) {
            case "lettuce" -> StoreClient.lettuce(redis.uri());
            case "jedis" -> StoreClient.jedis(redis.uri());
            default -> StoreClient.connecting(redis.uri());
        };
    }
}
