package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SentinelGroup;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The binding behind sentinels: it follows the primary, also where the one that was replaced keeps its connections. */
class LettuceSentinelTest {
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final SentinelGroup group = SentinelGroup.failingOver(1);
    private final String name = fresh("job");

    @BeforeEach
    void open() {
        group.open();
    }

    @AfterEach
    void close() {
        group.close();
    }

    private String url() {
        return group.uri();
    }

    @Test
    void law29_a_lease_and_the_pushes_survive_the_death_of_the_primary() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url())) {
            assertThat(store.toString()).contains("the primary 'tenure-main' of the sentinels at 127.0.0.1:");
            assertFollows(store, RedisProcess::stop);
        }
    }

    @Test
    void law29_a_primary_that_hangs_is_left_for_its_successor() {
        RedisClient client = RedisClient.create(url());
        try (RedisLeaseStore store = RedisLeaseStore.connect(url());
                RedisLeaseStore given = LettuceStores.of(client)) {
            Claim held = hold(given, election(claim(name + "given", "a")));
            RedisProcess old = group.primary();
            assertFollows(store, RedisProcess::pause);
            awaitRenewed(given, held);

            old.resume();

            // It still believes that it is the primary, for some ten seconds.
            assertThat(old.info("role")).isEqualTo("master");
            assertThat(release(store, hold(store, lock(claim(name + "late", "a")))))
                    .isTrue();
            assertThat(old.cli("EXISTS", name + "late:fence")).isEqualTo("0");
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private void assertFollows(RedisLeaseStore store, Consumer<RedisProcess> fail) {
        List<Duration> wakes = new CopyOnWriteArrayList<>();
        String waiter = fresh("inc");
        store.wakeups().await(name, waiter, wakes::add);
        await().atMost(BOUND).until(() -> store.wakeups().isLive());
        Claim held = hold(store, election(claim(name, "a")));
        group.awaitInSync();
        RedisProcess old = group.primary();
        wakes.clear();

        fail.accept(old);
        awaitRenewed(store, held);

        RedisProcess next = group.primary();
        assertThat(next).isNotSameAs(old);
        assertThat(next.cli("GET", name + ":leader")).contains("-" + held.token());
        await().atMost(BOUND).until(() -> store.wakeups().isLive());
        assertThat(next.cli("PUBSUB", "CHANNELS")).contains("tenure:wake:" + waiter);
        assertThat(wakes).as("told to look, since a push may have been missed").isNotEmpty();
        assertThat(release(store, held)).isTrue();
    }

    private static void awaitRenewed(RedisLeaseStore store, Claim held) {
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Tries.isRenewed(store, held, LeaseKind.ELECTION));
    }

    @Test
    void law29_a_primary_that_was_made_a_replica_and_goes_on_answering_is_left_for_its_successor()
            throws InterruptedException {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url())) {
            Claim held = hold(store, election(claim(name, "a")));
            group.awaitInSync();
            RedisProcess old = group.primary();
            RedisProcess next = group.replicas().get(0);
            // By hand, so that nobody ends the clients' connections, as sentinels do.
            next.cli("REPLICAOF", "NO", "ONE");
            old.cli("REPLICAOF", RedisProcess.HOST, "" + next.port());
            assertThat(Tries.isRenewed(store, held, LeaseKind.ELECTION))
                    .as("sentinels know nothing yet")
                    .isFalse();
            for (RedisProcess sentinel : group.sentinels()) {
                sentinel.cli("SENTINEL", "REMOVE", SentinelGroup.NAME);
                sentinel.cli("SENTINEL", "MONITOR", SentinelGroup.NAME, RedisProcess.HOST, "" + next.port(), "2");
            }

            awaitRenewed(store, held);

            assertThat(release(store, held)).isTrue();
            assertThat(next.cli("EXISTS", name + ":leader")).isEqualTo("0");
        }
    }
}
