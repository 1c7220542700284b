package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.ProtocolVersion;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes of a cluster that die or hang, and are replaced. */
class LettuceFailoverTest {
    private static final Duration BOUND = Duration.ofSeconds(60);

    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.failingOver();

    private static String url(String parameters) {
        return "redis-cluster://" + String.join(",", cluster.uris()).replace("redis://", "") + parameters;
    }

    @AfterEach
    void restore() {
        cluster.nodes().stream().filter(node -> !node.isUp()).forEach(RedisProcess::restart);
        cluster.awaitOk();
    }

    // ---- leases

    @Test
    void law29_a_lease_survives_the_death_of_its_primary() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url(""))) {
            assertSurvives(store, RedisProcess::stop);
        }
    }

    @Test
    void law29_a_primary_that_hangs_is_replaced_long_before_any_command_times_out() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url("?timeout=1h"))) {
            assertSurvives(store, RedisProcess::pause);
        }
    }

    @Test
    void law29_a_given_client_that_never_looks_at_its_cluster_again_finds_the_new_primary_too() {
        RedisClusterClient client = RedisClusterClient.create(cluster.uris().get(0));
        try (RedisLeaseStore store = LettuceStores.of(client)) {
            assertSurvives(store, RedisProcess::stop);
            restore();
            assertSurvives(store, RedisProcess::pause);
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private static void assertSurvives(RedisLeaseStore store, Consumer<RedisProcess> fail) {
        String name = store.canonicalName(fresh("job"));
        int slot = cluster.slotOf(name);
        Claim held = hold(store, election(claim(name, "a")));
        cluster.awaitOk();
        RedisProcess owner = cluster.ownerOf(slot);

        fail.accept(owner);
        cluster.awaitFailover(slot, owner);

        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Tries.isRenewed(store, held, LeaseKind.ELECTION));
        assertThat(release(store, held)).isTrue();
    }

    // ---- pushes

    @Test
    void law20_pushes_come_from_another_node_when_theirs_has_died() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url(""))) {
            assertPushesMove(store, RedisProcess::stop);
        }
    }

    @Test
    void law20_pushes_come_from_another_node_when_theirs_hangs() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url(""))) {
            assertPushesMove(store, RedisProcess::pause);
        }
    }

    @Test
    @Tag("nightly")
    void law20_pushes_move_by_the_older_protocol_too() {
        RedisClusterClient client =
                RedisClusterClient.create(RedisURI.create(cluster.uris().get(0) + "?timeout=1s"));
        client.setOptions(ClusterClientOptions.builder()
                .protocolVersion(ProtocolVersion.RESP2)
                .build());
        try (RedisLeaseStore store = LettuceStores.of(client)) {
            assertPushesMove(store, RedisProcess::pause);
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private static void assertPushesMove(RedisLeaseStore store, Consumer<RedisProcess> fail) {
        String waiter = fresh("inc");
        AtomicInteger wakes = new AtomicInteger();
        store.wakeups().await("any", waiter, after -> wakes.incrementAndGet());
        await().atMost(BOUND).until(() -> store.wakeups().isLive());
        RedisProcess from = subscribedTo(waiter).orElseThrow();
        wakes.set(0);

        fail.accept(from);

        await().atMost(BOUND)
                .untilAsserted(
                        () -> assertThat(subscribedTo(waiter)).isPresent().get().isNotSameAs(from));
        await("told to look, since a push may have been missed").atMost(BOUND).until(() -> wakes.get() > 0);
        await().atMost(BOUND).until(() -> store.wakeups().isLive());
    }

    /** Of the nodes that are up. */
    private static Optional<RedisProcess> subscribedTo(String waiter) {
        return cluster.nodes().stream()
                .filter(RedisProcess::isUp)
                .filter(node -> node.cli("PUBSUB", "CHANNELS").contains("tenure:wake:" + waiter))
                .findFirst();
    }
}
