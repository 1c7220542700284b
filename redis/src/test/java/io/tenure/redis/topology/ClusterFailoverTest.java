package io.tenure.redis.topology;

import static io.tenure.redis.topology.Instances.since;
import static io.tenure.redis.topology.Instances.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.RenewalFailed;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.redis.StoreFixture;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RawConnection;
import io.tenure.redis.servers.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Elections and locks of several instances on a cluster: one of three primaries dies, slots move, slots are lost. */
class ClusterFailoverTest {
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final ElectorOptions ELECTION = ElectorOptions.ofTtl(TTL).build();
    /** Longer than any fail-over. */
    private static final ElectorOptions LONG = ElectorOptions.ofTtl(Duration.ofMinutes(1))
            .renewEvery(Duration.ofMillis(500))
            .build();
    /** What busy machines are forgiven. */
    private static final Duration LATE = Duration.ofSeconds(4);

    /** Slots that are not served keep the others from nothing, unless a test says so. */
    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.failingOver("--cluster-require-full-coverage", "no");

    @AfterEach
    void restore() {
        cluster.nodes().stream().filter(node -> !node.isUp()).forEach(RedisProcess::restart);
        cluster.awaitOk();
    }

    private static RedisProcess ownerOf(String role) {
        return cluster.ownerOf(cluster.slotOf(role));
    }

    private static String fresh(String what, RedisProcess owner) {
        String name = "{" + StoreFixture.fresh(what) + "}";
        return ownerOf(name) == owner ? name : fresh(what, owner);
    }

    @ParameterizedTest
    @EnumSource
    void law29_leases_of_a_killed_primary_live_on_at_its_replica_and_those_of_the_others_notice_nothing(Client client) {
        assertFailsOver(client, RedisProcess::stop);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("nightly")
    void law29_leases_of_a_hung_primary_live_on_at_its_replica_and_those_of_the_others_notice_nothing(Client client) {
        assertFailsOver(client, RedisProcess::pause);
    }

    private static void assertFailsOver(Client client, Consumer<RedisProcess> fail) {
        try (Instances instances = new Instances(3, () -> client.to(cluster))) {
            List<RedisProcess> primaries = cluster.primaries();
            RedisProcess old = primaries.get(0);
            Map<String, Long> kept = new HashMap<>();
            primaries.stream()
                    .skip(1)
                    .map(owner -> fresh("kept", owner))
                    .forEach(role -> kept.put(role, instances.elect(role, ELECTION)));
            String lasting = fresh("lasting", old);
            long lastingToken = instances.elect(lasting, LONG);
            List<String> shaken = List.of(fresh("shaken", old), fresh("shaken", old));
            Map<String, Long> before = new HashMap<>();
            shaken.forEach(role -> before.put(role, instances.elect(role, ELECTION)));
            cluster.awaitOk();

            long killed = System.nanoTime();
            fail.accept(old);
            RedisProcess next = cluster.awaitFailover(cluster.slotOf(lasting), old);
            Duration failover = since(killed);
            List<String> all = new ArrayList<>(shaken);
            all.add(lasting);
            all.addAll(kept.keySet());
            Map<String, Long> after = instances.awaitWorking(all);
            Duration working = since(killed);

            assertThat(working).isLessThan(failover.plus(TTL).plus(LATE));
            shaken.forEach(role -> {
                assertThat(after.get(role)).isGreaterThanOrEqualTo(before.get(role));
                assertThat(instances.told(LeaseLost.class, role))
                        .allSatisfy(seen -> assertThat(Duration.ofNanos(seen.nanos() - killed))
                                .isLessThan(TTL.plus(LATE)));
            });
            until("it is renewed there", () -> Long.parseLong(next.cli("PTTL", lasting + ":leader")) > 58_000);
            // Nothing that was lost could be held still.
            until("three times the ttl have passed", () -> since(killed).compareTo(TTL.multipliedBy(3)) > 0);
            kept.put(lasting, lastingToken);
            kept.forEach((role, token) -> {
                assertThat(instances.tokenOf(role)).as(role).isEqualTo(token);
                assertThat(instances.told(LeaseLost.class, role)).isEmpty();
                assertThat(instances.told(SteppedDown.class, role)).isEmpty();
            });
            all.forEach(instances::assertOneHolderAndRisingTokens);
            Figures.failover(client, "cluster", failover, working);
        }
    }

    @ParameterizedTest
    @EnumSource
    void law28_a_slot_that_moves_costs_no_leader_its_term_and_no_waiter_its_turn(Client client) throws Exception {
        try (Instances instances = new Instances(2, () -> client.to(cluster))) {
            RedisProcess from = cluster.primaries().get(0);
            RedisProcess to = cluster.primaries().get(1);
            String role = fresh("moving", from);
            long token = instances.elect(role, ELECTION);
            String lockName = fresh("moving", from);
            HeldLock held = lock(instances.get(0), lockName).tryAcquire().orElseThrow();
            CompletableFuture<Optional<HeldLock>> waiter = lock(instances.get(1), lockName)
                    .tryAcquireAsync(Instances.BOUND)
                    .toCompletableFuture();
            until("it waits", () -> from.cli("ZCARD", lockName + ":waiters").equals("1"));

            cluster.moveSlot(cluster.slotOf(role), to);
            cluster.moveSlot(cluster.slotOf(lockName), to);

            until("its leader writes", () -> Instances.write(instances.get(0), role, token));
            held.release();
            HeldLock next =
                    waiter.get(Instances.BOUND.toSeconds(), TimeUnit.SECONDS).orElseThrow();
            assertThat(next.token()).isGreaterThan(held.token());
            next.release();
            Thread.sleep(TTL.toMillis()); // a term that was not renewed there would be over
            assertThat(instances.tokenOf(role)).isEqualTo(token);
            assertThat(to.cli("EXISTS", role + ":leader")).isEqualTo("1");
            assertThat(instances.told(SteppedDown.class, role)).isEmpty();
        }
    }

    private static LeaseLock lock(Instance instance, String name) {
        return instance.tenure.lock(name, LockOptions.ofTtl(TTL).renewed().build());
    }

    @ParameterizedTest
    @EnumSource
    void law27_a_cluster_that_is_down_since_a_slot_is_not_served_is_trouble_that_passes(Client client) {
        try (Instances instances = new Instances(2, () -> client.to(cluster))) {
            RedisProcess owner = cluster.primaries().get(1);
            String role = fresh("role", cluster.primaries().get(0));
            String unserved = "" + cluster.slotOf(fresh("unserved", owner));
            long token = instances.elect(role, LONG);

            everywhere("CONFIG", "SET", "cluster-require-full-coverage", "yes");
            try {
                until("the cluster is down", () -> isDownWithout(unserved));
                until(
                        "CLUSTERDOWN is told",
                        () -> !instances.told(RenewalFailed.class, role).isEmpty());
                instances.get(1).stand(fresh("role", cluster.primaries().get(0)), ELECTION);
                until(
                        "to attempts too",
                        () -> !instances.get(1).seen(AttemptFailed.class).isEmpty());
            } finally {
                owner.cli("CLUSTER", "ADDSLOTS", unserved);
                everywhere("CONFIG", "SET", "cluster-require-full-coverage", "no");
            }
            cluster.awaitOk();

            assertThat(instances.told(RenewalFailed.class, role)).allSatisfy(seen -> {
                RenewalFailed failed = (RenewalFailed) seen.event();
                assertThat(failed.cause()).hasMessageContaining("CLUSTERDOWN");
                assertThat(failed.cause().isTransient()).isTrue();
            });
            until("the same leader writes again", () -> Instances.write(instances.get(0), role, token));
            assertThat(instances.tokenOf(role)).isEqualTo(token);
            assertThat(instances.told(SteppedDown.class, role)).isEmpty();
        }
    }

    /** A node that hears from the owner, as that was a moment ago, takes the slot for served again. */
    private static boolean isDownWithout(String slot) {
        for (RedisProcess node : cluster.nodes()) {
            try {
                node.cli("CLUSTER", "DELSLOTS", slot);
            } catch (RawConnection.ErrorReply e) {
                assertThat(e).hasMessageContaining("already unassigned");
            }
        }
        return cluster.nodes().stream()
                .allMatch(node -> node.cli("CLUSTER", "INFO").contains("cluster_state:fail"));
    }

    private static void everywhere(String... command) {
        cluster.nodes().forEach(node -> node.cli(command));
    }
}
