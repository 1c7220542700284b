package io.tenure.redis;

import static io.tenure.redis.Replicas.BOTH;
import static io.tenure.redis.Replicas.assertNotAcknowledged;
import static io.tenure.redis.Replicas.leaseOn;
import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.HeldLock;
import io.tenure.NotAcknowledgedException;
import io.tenure.Tenure;
import io.tenure.redis.servers.ReplicaGroup;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases that replicas have to acknowledge, on a primary with two of them. */
class ReplicaAcknowledgementTest {

    private static final RedisStoreOptions BRIEF =
            RedisStoreOptions.builder().minReplicas(2, Duration.ofMillis(60)).build();

    @RegisterExtension
    static final Replicas replicas = new Replicas();

    private final ReplicaGroup group = replicas.group();
    private final RedisLeaseStore store = replicas.store();
    private final String name = fresh("job");

    @Test
    void a_lease_that_was_granted_is_on_as_many_replicas_as_were_asked_for() {
        for (int i = 0; i < 20; i++) {
            Claim held = hold(store, lock(claim(name + i, "a")));

            assertThat(leaseOn(group.replica(0), name + i)).isEqualTo(LeaseValue.of(held));
            assertThat(leaseOn(group.replica(1), name + i)).isEqualTo(LeaseValue.of(held));
        }
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
            long connected = replicas.connections();

            for (int i = 0; i < 9; i++) {
                wakes.clear();
                assertNotAcknowledged(brief.acquire(waiting(lock(claim(name, "a")), TTL)));
                await().until(() -> wakes.contains(Duration.ZERO));
            }

            assertThat(get(store.find(name))).isEmpty();
            assertThat(group.primary().cli("ZRANGE", name + ":waiters", "0", "-1"))
                    .isEqualTo(waiter.incarnation());
            assertThat(replicas.connections()).isEqualTo(connected);
            Claim served = hold(easy, waiting(lock(waiter), TTL));
            assertThat(leaseOn(group.primary(), name)).isEqualTo(LeaseValue.of(served));
            assertThat(replicas.keysOf(name))
                    .containsExactly(name + ":fence", name + ":fence:applied", name + ":leader");
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
        replicas.holdBack();

        List<CompletionStage<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waiting.add(store.acquire(lock(claim(fresh("job"), "a"))));
        }
        for (int i = 0; i < 5; i++) {
            assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
        }

        assertThat(waiting).noneMatch(attempt -> attempt.toCompletableFuture().isDone());
        waiting.forEach(Replicas::assertNotAcknowledged);
    }

    @Test
    void attempts_wait_for_replicas_together_and_not_one_after_the_other() {
        hold(store, lock(claim(name, "a")));
        replicas.holdBack();
        long start = System.nanoTime();
        assertNotAcknowledged(store.acquire(lock(claim(fresh("job"), "a"))));
        long alone = System.nanoTime() - start;

        start = System.nanoTime();
        List<CompletionStage<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            waiting.add(store.acquire(lock(claim(fresh("job"), "a"))));
        }
        waiting.forEach(Replicas::assertNotAcknowledged);

        assertThat((double) (System.nanoTime() - start) / alone)
                .as("waits, one after the other 15")
                .isLessThan(5);
    }

    @Test
    void a_denial_waits_for_no_replica() {
        hold(store, lock(claim(name, "a")));
        int before = replicas.waits();

        denied(store, waiting(lock(claim(name, "b")), TTL));

        assertThat(replicas.waits()).isEqualTo(before);
    }

    @Test
    void law03_the_same_attempt_again_is_acknowledged_too_before_it_is_granted() {
        LeaseRequest request = lock(claim(name, "a"));
        hold(store, lock(claim(fresh("job"), "a")));
        replicas.holdBack();
        CompletionStage<Acquisition> lost = store.acquire(request);
        await().until(() -> !leaseOn(group.primary(), name).isEmpty());
        lost.toCompletableFuture().cancel(false);
        String granted = leaseOn(group.primary(), name);

        CompletionStage<Acquisition> again = store.acquire(request);
        assertThat(leaseOn(group.replica(0), name)).isEmpty();
        assertThat(again.toCompletableFuture()).isNotDone();
        replicas.letGo();

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
}
