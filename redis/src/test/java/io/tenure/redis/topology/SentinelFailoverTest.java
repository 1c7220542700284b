package io.tenure.redis.topology;

import static io.tenure.redis.StoreFixture.fresh;
import static io.tenure.redis.topology.Instances.since;
import static io.tenure.redis.topology.Instances.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SentinelGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Elections and locks of several instances, whose primary dies, or hangs and comes back as if nothing had happened. */
class SentinelFailoverTest {
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration RETRY = TTL.dividedBy(2);
    private static final ElectorOptions ELECTION =
            ElectorOptions.ofTtl(TTL).retryEvery(RETRY).build();
    /** What busy machines are forgiven. */
    private static final Duration LATE = Duration.ofSeconds(4);

    private final SentinelGroup group = SentinelGroup.failingOver(1);

    @BeforeEach
    void open() {
        group.open();
    }

    @AfterEach
    void close() {
        group.close();
    }

    @ParameterizedTest
    @EnumSource
    void law29_all_names_of_a_killed_primary_find_one_holder_each_by_higher_tokens_and_without_a_storm(Client client) {
        assertFailsOver(client, RedisProcess::stop);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("nightly")
    void law29_all_names_of_a_hung_primary_find_one_holder_each_by_higher_tokens_and_without_a_storm(Client client) {
        assertFailsOver(client, RedisProcess::pause);
    }

    private void assertFailsOver(Client client, Consumer<RedisProcess> fail) {
        try (Instances instances = new Instances(3, () -> client.to(group))) {
            List<String> roles =
                    IntStream.range(0, 4).mapToObj(i -> fresh("role")).toList();
            Map<String, Long> before = new TreeMap<>();
            roles.forEach(role -> before.put(role, instances.elect(role, ELECTION)));
            String lockName = fresh("lock");
            HeldLock held = lock(instances.get(0), lockName).tryAcquire().orElseThrow();
            List<CompletableFuture<Optional<HeldLock>>> waiters = IntStream.of(1, 2)
                    .mapToObj(i -> lock(instances.get(i), lockName).tryAcquireAsync(Instances.BOUND))
                    .map(stage -> stage.toCompletableFuture())
                    .toList();
            RedisProcess old = group.primary();
            until("two wait", () -> old.cli("ZCARD", lockName + ":waiters").equals("2"));
            group.awaitInSync();

            List<Long> asked = instances.stream().map(Instance::attempts).toList();
            long killed = System.nanoTime();
            fail.accept(old);
            RedisProcess next = group.awaitFailover(old);
            Duration failover = since(killed);
            Map<String, Long> after = instances.awaitWorking(roles);
            Duration working = since(killed);

            assertThat(working).isLessThan(failover.plus(TTL).plus(LATE));
            roles.forEach(instances::assertOneHolderAndRisingTokens);
            assertThat(after).allSatisfy((role, token) -> assertThat(token).isGreaterThanOrEqualTo(before.get(role)));
            assertNoStorm(instances, asked, roles.size() + 1, since(killed));
            assertServedInTurn(held, waiters);
            comesBack(old, next);
            instances.stream()
                    .forEach(instance -> after.keySet()
                            .forEach(role -> until(
                                    "it writes to the new primary",
                                    () -> Instances.write(instance, role, instances.tokenOf(role)))));
            Figures.failover(client, "sentinels", failover, working);
        }
    }

    private static LeaseLock lock(Instance instance, String name) {
        return instance.tenure.lock(
                name, LockOptions.ofTtl(TTL).retryEvery(RETRY).renewed().build());
    }

    /** Law 23: a failing store is asked at doubling pauses, and once more by each that is told that it is back. */
    private static void assertNoStorm(Instances instances, List<Long> before, int names, Duration span) {
        long most = names * (span.toMillis() / RETRY.toMillis() + 6);
        for (int i = 0; i < before.size(); i++) {
            assertThat(instances.get(i).attempts() - before.get(i)).isLessThanOrEqualTo(most);
        }
    }

    private static void assertServedInTurn(HeldLock held, List<CompletableFuture<Optional<HeldLock>>> waiters) {
        held.close(); // lost with the primary, or not
        long last = held.token();
        for (int served = 0; served < waiters.size(); served++) {
            int now = served + 1;
            until(
                    "another waiter is served",
                    () -> waiters.stream().filter(CompletableFuture::isDone).count() >= now);
            assertThat(waiters.stream().filter(CompletableFuture::isDone)).hasSize(now);
            HeldLock next = waiters.stream()
                    .filter(CompletableFuture::isDone)
                    .map(done -> done.join().orElseThrow())
                    .filter(HeldLock::isHeld)
                    .findFirst()
                    .orElseThrow();
            assertThat(next.token()).isGreaterThan(last);
            last = next.token();
            next.release();
        }
    }

    /** As a replica, which sentinels make of it some ten seconds later, too. */
    private void comesBack(RedisProcess old, RedisProcess next) {
        old.restart();
        old.cli("REPLICAOF", RedisProcess.HOST, "" + next.port());
        group.awaitInSync();
        assertThat(old.info("role")).isEqualTo("slave");
    }

    @ParameterizedTest
    @EnumSource
    void law25_what_a_replaced_primary_accepts_when_it_is_resumed_does_not_survive(Client client) {
        assertNothingStaleSurvives(client, (old, next) -> {
            old.cli("REPLICAOF", RedisProcess.HOST, "" + next.port());
            old.cli("CLIENT", "KILL", "TYPE", "normal");
        });
    }

    /** Sentinels leave it alone for some ten seconds. */
    @ParameterizedTest
    @EnumSource
    @Tag("nightly")
    void law25_what_a_replaced_primary_accepts_until_sentinels_demote_it_does_not_survive(Client client) {
        assertNothingStaleSurvives(client, (old, next) -> {});
    }

    private interface Demotion {
        void of(RedisProcess old, RedisProcess next);
    }

    private void assertNothingStaleSurvives(Client client, Demotion demotion) {
        RedisProcess old = group.primary();
        try (Instance stale = new Instance(client.to(old));
                Instance successor = new Instance(client.to(group))) {
            String role = fresh("role");
            String key = role + ":state";
            Elector left = stale.stand(role, ELECTION);
            until("leads", left::isLeader);
            long first = left.token().orElseThrow();
            Elector right = successor.stand(role, ELECTION);
            until("follows", () -> successor.follows(role) == first);
            stale.store.fence(role).set(first, key, "first");
            group.awaitInSync();

            long paused = System.nanoTime();
            old.pause();
            RedisProcess next = group.awaitFailover(old);
            until("the successor leads", right::isLeader);
            long second = right.token().orElseThrow();
            until("it writes", () -> Instances.write(successor, role, second));
            successor.store.fence(role).set(second, key, "second");

            assertThat(second).isGreaterThan(first);
            assertThat(left.isLeader()).isFalse();
            assertThat(stale.seen(LeaseLost.class))
                    .singleElement()
                    .satisfies(seen ->
                            assertThat(Duration.ofNanos(seen.nanos() - paused)).isLessThan(TTL.plus(LATE)));

            old.resume();
            // It takes itself for the primary, and so does whoever knows it by its address: two lead.
            until("leads again", left::isLeader);
            long third = left.token().orElseThrow();
            stale.store.fence(role).set(third, key, "stale");
            assertThat(old.cli("GET", key)).isEqualTo("stale");
            assertThat(next.cli("GET", key)).isEqualTo("second");
            assertThatThrownBy(() -> successor.store.fence(role).set(third, key, "stale"))
                    .isInstanceOf(StaleTokenException.class);

            demotion.of(old, next);
            group.awaitInSync();
            long demoted = System.nanoTime();

            assertThat(old.info("role")).isEqualTo("slave");
            assertThat(old.cli("GET", key)).isEqualTo("second");
            assertThatThrownBy(() -> stale.store.fence(role).set(third, key, "stale"))
                    .isInstanceOfAny(StoreException.class, StaleTokenException.class);
            until("the lease is lost", () -> !left.isLeader());
            assertThat(since(demoted)).isLessThan(TTL.plus(LATE));
            assertThat(right.token()).hasValue(second);
            assertThat(next.cli("GET", key)).isEqualTo("second");
        }
    }
}
