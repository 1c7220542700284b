package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.tenure.HeldLock;
import io.tenure.NotAcknowledgedException;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ReplicaGroup;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import io.tenure.testkit.net.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases and fenced writes that replicas have to acknowledge, on a primary with two of them. */
class ReplicaAcknowledgementTest {
    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final RedisStoreOptions BOTH =
            RedisStoreOptions.builder().minReplicas(2, TIMEOUT).build();

    private static final RedisStoreOptions BRIEF =
            RedisStoreOptions.builder().minReplicas(2, Duration.ofMillis(60)).build();

    @RegisterExtension
    static final ReplicaGroup group = new ReplicaGroup(2);

    private RedisLeaseStore store;
    private String name;

    @BeforeEach
    void open() {
        store = RedisLeaseStore.connect(group.primary().uri(), BOTH);
        name = fresh("job");
    }

    @AfterEach
    void close() {
        letGo();
        group.joinLinks();
        group.awaitInSync();
        store.close();
    }

    /** From now on replicas hear nothing, and the primary does not know. */
    private static void holdBack() {
        for (int i = 0; i < 2; i++) {
            group.link(i).hold(Direction.TO_SERVER);
            group.link(i).hold(Direction.TO_CLIENT);
        }
    }

    private static void letGo() {
        for (int i = 0; i < 2; i++) {
            group.link(i).pass(Direction.TO_SERVER);
            group.link(i).pass(Direction.TO_CLIENT);
        }
    }

    private static String leaseOn(RedisProcess server, String name) {
        return server.cli("GET", name + ":leader");
    }

    private static List<String> keysOf(String name) {
        return group.primary().cli("KEYS", name + ":*").lines().sorted().toList();
    }

    private static long connections() {
        return group.primary().cli("CLIENT", "LIST", "TYPE", "NORMAL").lines().count();
    }

    private static int waits() {
        String stats = group.primary().info("cmdstat_wait");
        return stats.isEmpty() ? 0 : Integer.parseInt(stats.replaceAll("calls=(\\d+),.*", "$1"));
    }

    private static void assertNotAcknowledged(CompletionStage<Acquisition> attempt) {
        assertThatThrownBy(() -> get(attempt)).isInstanceOfSatisfying(NotAcknowledgedException.class, e -> {
            assertThat(e.wanted()).isEqualTo(2);
            assertThat(e.acknowledged()).isZero();
        });
    }

    @Test
    void a_lease_that_was_granted_is_on_as_many_replicas_as_were_asked_for() {
        for (int i = 0; i < 20; i++) {
            Claim held = hold(store, lock(claim(name + i, "a")));

            assertThat(leaseOn(group.replica(0), name + i)).isEqualTo(LeaseValue.of(held));
            assertThat(leaseOn(group.replica(1), name + i)).isEqualTo(LeaseValue.of(held));
        }
    }

    @Test
    void a_client_of_the_users_waits_for_replicas_too_and_closing_leaves_no_connection() {
        long before = connections();
        RedisClient client = RedisClient.create(group.primary().uri());
        try (RedisLeaseStore other = LettuceStores.of(client, BOTH)) {
            Claim held = hold(other, lock(claim(name, "a")));

            assertThat(leaseOn(group.replica(1), name)).isEqualTo(LeaseValue.of(held));
        }
        await().until(() -> connections() == before);
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }

    @Test
    void law17_ten_attempts_that_replicas_did_not_acknowledge_leave_nothing_and_the_next_waiter_is_served() {
        try (RedisLeaseStore easy = RedisLeaseStore.connect(group.primary().uri());
                RedisLeaseStore brief = RedisLeaseStore.connect(group.primary().uri(), BRIEF)) {
            Claim holder = hold(easy, lock(claim(name, "holder")));
            Claim waiter = claim(name, "waiter");
            List<Duration> wakes = new CopyOnWriteArrayList<>();
            easy.wakeups().await(name, waiter.incarnation(), wakes::add);
            await().until(() -> easy.wakeups().isLive());
            denied(easy, waiting(lock(waiter), TTL));
            group.cutLinks();
            release(easy, holder);
            assertNotAcknowledged(brief.acquire(waiting(lock(claim(name, "a")), TTL)));
            long connected = connections();

            for (int i = 0; i < 9; i++) {
                wakes.clear();
                assertNotAcknowledged(brief.acquire(waiting(lock(claim(name, "a")), TTL)));
                await().until(() -> wakes.contains(Duration.ZERO));
            }

            assertThat(get(store.find(name))).isEmpty();
            assertThat(group.primary().cli("ZRANGE", name + ":waiters", "0", "-1"))
                    .isEqualTo(waiter.incarnation());
            assertThat(connections()).isEqualTo(connected);
            Claim served = hold(easy, waiting(lock(waiter), TTL));
            assertThat(leaseOn(group.primary(), name)).isEqualTo(LeaseValue.of(served));
            assertThat(keysOf(name)).containsExactly(name + ":fence", name + ":fence:applied", name + ":leader");
        }
    }

    @Test
    void law02_it_works_again_with_a_higher_token_once_the_replicas_are_back() {
        Claim claim = claim(name, "a");
        group.cutLinks();
        assertNotAcknowledged(store.acquire(election(claim)));
        long refused = Long.parseLong(group.primary().cli("GET", name + ":fence"));

        group.joinLinks();
        group.awaitInSync();

        Claim held = hold(store, election(claim));
        assertThat(held.token()).isGreaterThan(refused);
        assertThat(leaseOn(group.replica(0), name)).isEqualTo(LeaseValue.of(held));
    }

    @Test
    void law10_renewals_are_not_delayed_while_attempts_wait_for_replicas() {
        Claim held = hold(store, lock(claim(name, "a")));
        hold(store, lock(claim(fresh("job"), "a"))); // all is open and known from here on
        holdBack();

        List<CompletionStage<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waiting.add(store.acquire(lock(claim(fresh("job"), "a"))));
        }
        for (int i = 0; i < 5; i++) {
            assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
        }

        assertThat(waiting).noneMatch(attempt -> attempt.toCompletableFuture().isDone());
        waiting.forEach(ReplicaAcknowledgementTest::assertNotAcknowledged);
    }

    @Test
    void attempts_wait_for_replicas_together_and_not_one_after_the_other() {
        hold(store, lock(claim(name, "a")));
        holdBack();
        long start = System.nanoTime();
        assertNotAcknowledged(store.acquire(lock(claim(fresh("job"), "a"))));
        long alone = System.nanoTime() - start;

        start = System.nanoTime();
        List<CompletionStage<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            waiting.add(store.acquire(lock(claim(fresh("job"), "a"))));
        }
        waiting.forEach(ReplicaAcknowledgementTest::assertNotAcknowledged);

        assertThat((double) (System.nanoTime() - start) / alone)
                .as("waits, one after the other 15")
                .isLessThan(5);
    }

    @Test
    void a_denial_waits_for_no_replica() {
        hold(store, lock(claim(name, "a")));
        int before = waits();

        denied(store, waiting(lock(claim(name, "b")), TTL));

        assertThat(waits()).isEqualTo(before);
    }

    @Test
    void law03_the_same_attempt_again_is_acknowledged_too_before_it_is_granted() {
        LeaseRequest request = lock(claim(name, "a"));
        hold(store, lock(claim(fresh("job"), "a")));
        holdBack();
        CompletionStage<Acquisition> lost = store.acquire(request);
        await().until(() -> !leaseOn(group.primary(), name).isEmpty());
        lost.toCompletableFuture().cancel(false);
        String granted = leaseOn(group.primary(), name);

        CompletionStage<Acquisition> again = store.acquire(request);
        assertThat(leaseOn(group.replica(0), name)).isEmpty();
        assertThat(again.toCompletableFuture()).isNotDone();
        letGo();

        Claim held = request.claim().withToken(((Acquisition.Granted) get(again)).token());
        assertThat(LeaseValue.of(held)).isEqualTo(granted);
        assertThat(leaseOn(group.replica(0), name)).isEqualTo(granted);
        assertThat(leaseOn(group.replica(1), name)).isEqualTo(granted);
    }

    @Test
    void law03_the_same_attempt_again_that_is_not_acknowledged_is_released() {
        LeaseRequest request = lock(claim(name, "a"));
        hold(store, request);
        group.cutLinks();

        assertNotAcknowledged(store.acquire(request));

        assertThat(get(store.find(name))).isEmpty();
    }

    @Test
    void law04_a_takeover_is_acknowledged_too() {
        Claim leftover = hold(store, election(claim(name, "fixed")));
        group.cutLinks();
        Claim restarted = claim(name, "fixed");
        assertNotAcknowledged(store.acquire(takeover(election(restarted), Takeover.ANY_INCARNATION)));
        assertThat(get(store.find(name))).isEmpty();
        group.joinLinks();
        group.awaitInSync();

        Claim again = hold(store, election(leftover.withToken(0)));
        Claim taken = hold(store, takeover(election(claim(name, "fixed")), Takeover.ANY_INCARNATION));

        assertThat(taken.token()).isGreaterThan(again.token());
        assertThat(leaseOn(group.replica(0), name)).isEqualTo(LeaseValue.of(taken));
    }

    @Test
    void a_connection_that_is_lost_while_it_waits_grants_nothing_and_is_replaced() {
        Claim claim = claim(name, "a");
        hold(store, lock(claim(fresh("job"), "a")));
        long connected = connections();
        holdBack();
        CompletionStage<Acquisition> attempt = store.acquire(lock(claim));
        String waiting = await().until(
                        () -> group.primary()
                                .cli("CLIENT", "LIST")
                                .lines()
                                .filter(line -> line.contains(" cmd=wait "))
                                .map(line -> line.replaceAll("^id=(\\d+) .*", "$1"))
                                .collect(Collectors.joining()),
                        id -> !id.isEmpty());
        group.primary().cli("CLIENT", "KILL", "ID", waiting);

        assertThatThrownBy(() -> get(attempt))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isTrue())
                .isNotInstanceOf(NotAcknowledgedException.class);
        letGo();
        hold(store, lock(claim));
        await().until(() -> connections() == connected);
    }

    @Test
    void closing_ends_attempts_that_wait_and_their_connections() {
        RedisLeaseStore other = RedisLeaseStore.connect(group.primary().uri(), BOTH);
        long rest = connections();
        holdBack();
        List<CompletionStage<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(other.acquire(lock(claim(fresh("job"), "a"))));
        }

        other.close();

        assertThat(waiting)
                .allSatisfy(attempt -> assertThatThrownBy(() -> get(attempt)).isInstanceOf(StoreException.class));
        assertThatThrownBy(() -> get(other.acquire(lock(claim(name, "a"))))).hasMessageContaining("closed");
        await().until(() -> connections() == rest - 1);
    }

    @Test
    void law24_a_lock_that_replicas_did_not_acknowledge_fails_with_that_and_is_had_when_they_are_back()
            throws Exception {
        try (Tenure tenure = Tenure.over(RedisLeaseStore.connect(group.primary().uri(), BOTH))
                .open()) {
            group.cutLinks();
            assertThatThrownBy(() -> tenure.lock(name).tryAcquire()).isInstanceOf(NotAcknowledgedException.class);
            await().until(() -> leaseOn(group.primary(), name).isEmpty());

            group.joinLinks();

            try (HeldLock held =
                    tenure.lock(name).tryAcquire(Duration.ofSeconds(20)).orElseThrow()) {
                assertThat(leaseOn(group.replica(0), name)).endsWith("-" + held.token());
                assertThat(leaseOn(group.replica(1), name)).endsWith("-" + held.token());
            }
        }
    }

    // ---- fenced writes

    @Test
    void a_fenced_write_can_ask_for_replicas_too() {
        Claim held = hold(store, lock(claim(name, "a")));
        RedisFence fence = store.fence(name).acknowledged(2, TIMEOUT);

        for (int i = 0; i < 20; i++) {
            fence.set(held.token(), name + ":state", "v" + i);
            assertThat(group.replica(0).cli("GET", name + ":state")).isEqualTo("v" + i);
            assertThat(group.replica(1).cli("GET", name + ":state")).isEqualTo("v" + i);
        }
        assertThat(fence.batch(held.token())
                        .set(name + ":state", "w")
                        .applyAsync()
                        .toCompletableFuture())
                .succeedsWithin(RedisProcess.BOUND)
                .isEqualTo(1L);
        assertThat(group.replica(1).cli("GET", name + ":state")).isEqualTo("w");
    }

    @Test
    void law25_a_fenced_write_that_replicas_did_not_acknowledge_stays_and_says_so() {
        Claim held = hold(store, lock(claim(name, "a")));
        group.cutLinks();

        assertThatThrownBy(() -> store.fence(name).acknowledged(1, TIMEOUT).set(held.token(), name + ":state", "v"))
                .isInstanceOfSatisfying(NotAcknowledgedException.class, e -> {
                    assertThat(e.wanted()).isEqualTo(1);
                    assertThat(e.acknowledged()).isZero();
                })
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("written on the primary");
        assertThat(group.primary().cli("GET", name + ":state")).isEqualTo("v");
    }

    @Test
    void law25_a_stale_write_is_refused_without_waiting_for_replicas() {
        Claim held = hold(store, lock(claim(name, "a")));
        int before = waits();

        assertThatThrownBy(() -> store.fence(name).acknowledged(2, TIMEOUT).set(held.token() - 1, name + ":state", "v"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(waits()).isEqualTo(before);
    }

    // ---- settings

    @Test
    void settings_that_cannot_be_are_refused_naming_them() {
        RedisStoreOptions.Builder builder = RedisStoreOptions.builder();
        assertThatThrownBy(() -> builder.minReplicas(0, TIMEOUT)).hasMessageContaining("minReplicas is 0");
        assertThatThrownBy(() -> builder.minReplicas(1, Duration.ofNanos(999_999)))
                .hasMessageContaining("PT0.000999999S");
        assertThatThrownBy(() -> builder.minReplicas(1, Duration.ofMillis(451))).hasMessageContaining("450 ms");
        assertThat(builder.minReplicas(1, Duration.ofMillis(450)).build().minReplicas())
                .contains(new Acknowledgement(1, Duration.ofMillis(450)));
    }

    @Test
    void a_wait_that_is_longer_than_the_clients_own_is_refused_and_leaves_no_connection() {
        long before = connections();

        assertThatThrownBy(() -> RedisLeaseStore.connect(group.primary().uri() + "?timeout=400ms", BOTH))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("400 ms");
        await().until(() -> connections() == before);
    }
}
