package io.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Attempts that are given up on a server that answers late, and does not know our scripts yet. */
class RedisGivenUpTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private final String name = StoreFixture.fresh("job");
    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    @Test
    void law17_an_attempt_that_was_given_up_leaves_no_lease_on_a_server_that_had_yet_to_learn_the_release() {
        redis.cli().scriptFlush();
        try (Tenure tenure = Tenure.over(RedisLeaseStore.connect(redis.uri()))
                .observer(events::add)
                .open()) {
            LeaseLock lock =
                    tenure.lock(name, LockOptions.ofTtl(Duration.ofMinutes(10)).build());
            redis.pauseWrites();
            try {
                assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(300)))
                        .isInstanceOf(StoreException.class);
                await("the release is given up too")
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> events.stream().anyMatch(TenureEvent.ReleaseFailed.class::isInstance));
            } finally {
                redis.unpause();
            }

            await("granted, and released")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> redis.cli().exists(name + ":fence") == 1
                            && redis.cli().exists(name + ":leader") == 0);
            assertThat(lock.tryAcquire()).hasValueSatisfying(held -> held.close());
        }
    }
}
