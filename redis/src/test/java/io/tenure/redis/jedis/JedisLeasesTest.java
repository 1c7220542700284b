package io.tenure.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.redis.JedisStores;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.UnifiedJedis;

/** Many leases of one process over a server that hangs for a while. */
class JedisLeasesTest {
    private static final Duration TTL = Duration.ofSeconds(6);
    private static final Duration SOCKET_TIMEOUT = Duration.ofMillis(1_500);
    private static final Duration HANGS = Duration.ofMillis(2_500);
    private static final int LEASES = 30;
    private static final int CONNECTIONS = 16;

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    @Test
    void law10_a_hang_that_outlasts_the_socket_time_out_costs_no_lease_although_a_crowd_waits() {
        LockOptions renewed = LockOptions.ofTtl(TTL).renewed().build();
        try (UnifiedJedis client = JedisFixture.client("127.0.0.1", redis.port(), SOCKET_TIMEOUT);
                Tenure tenure = Tenure.over(JedisStores.of(client))
                        .observer(events::add)
                        .open()) {
            List<HeldLock> held = new ArrayList<>();
            List<LeaseLock> wanted = new ArrayList<>();
            for (int i = 0; i < LEASES; i++) {
                held.add(tenure.lock(StoreFixture.fresh("held"), renewed)
                        .tryAcquire()
                        .orElseThrow());
                wanted.add(tenure.lock(StoreFixture.fresh("wanted"), renewed));
            }
            redis.pause();
            List<CompletableFuture<Optional<HeldLock>>> crowd = new ArrayList<>();
            try {
                wanted.forEach(lock ->
                        crowd.add(lock.tryAcquireAsync(Duration.ofSeconds(60)).toCompletableFuture()));
                LockSupport.parkNanos(HANGS.toNanos());
                assertThat(threads()).isBetween(1L, (long) CONNECTIONS - 1);
            } finally {
                redis.resume();
            }

            await().atMost(Duration.ofSeconds(60)).until(() -> crowd.stream().allMatch(CompletableFuture::isDone));
            LockSupport.parkNanos(TTL.toNanos()); // every lease has been renewed since

            assertThat(held).allMatch(HeldLock::isHeld);
            assertThat(crowd).allSatisfy(waited -> assertThat(waited.join()).isPresent());
            assertThat(events).noneMatch(TenureEvent.LeaseLost.class::isInstance);
            assertThat(events)
                    .as("it was noticed")
                    .anyMatch(event -> event instanceof TenureEvent.RenewalFailed
                            || event instanceof TenureEvent.AttemptFailed failed
                                    && failed.cause() instanceof StoreException);
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tenure-redis-call 127.0.0.1:" + redis.port()))
                .count();
    }
}
