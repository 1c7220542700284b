package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.RedisClusterClient;
import io.tenure.StoreException;
import io.tenure.redis.DurabilityReport.Finding;
import io.tenure.redis.DurabilityReport.Grade;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ServerBinary;
import io.tenure.redis.servers.SlotMove;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;

/** What nodes of a cluster answer to a client that takes them for a single server, and what a report says of them. */
class ClusterNodeTest {
    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    /** The store of a client for single servers, at one of the nodes. */
    private static RedisLeaseStore at(RedisProcess node) {
        return RedisLeaseStore.connect(node.uri());
    }

    /** A name whose slot is, or is not, on the first node. */
    private static String name(Predicate<RedisProcess> owner) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "{node" + i + "}")
                .filter(name -> owner.test(cluster.ownerOf(cluster.slotOf(name))))
                .findFirst()
                .orElseThrow();
    }

    private static StoreException refusal(RedisLeaseStore store, String name) {
        return failure(() -> get(store.acquire(lock(claim(name, "a")))));
    }

    @Test
    void law27_a_lease_that_lies_on_another_node_is_refused_for_good_and_one_of_this_node_is_granted() {
        RedisProcess node = cluster.primaries().get(0);
        try (RedisLeaseStore store = at(node)) {
            StoreException refusal = refusal(store, name(owner -> owner != node));

            assertThat(refusal.isTransient()).isFalse();
            assertThat(refusal).hasMessageContaining("MOVED").hasMessageContaining("cluster");
            Claim held = hold(store, lock(claim(name(owner -> owner == node), "a")));
            assertThat(release(store, held)).isTrue();
        }
    }

    @Test
    void law27_a_lease_whose_slot_is_moving_away_is_kept_until_it_has_moved_and_new_ones_are_refused() {
        RedisProcess node = cluster.primaries().get(0);
        String name = name(owner -> owner == node);
        int slot = cluster.slotOf(name);
        try (RedisLeaseStore store = at(node)) {
            Claim held = hold(store, lock(claim(name, "a")));
            SlotMove move = cluster.beginMove(slot, cluster.primaries().get(1));
            try {
                assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
                StoreException asked = refusal(store, name + "-new");
                assertThat(asked.isTransient()).isFalse();
                assertThat(asked).hasMessageContaining("ASK");
                move.keys(List.of(name + ":fence"));
                StoreException torn = failure(() -> renew(store, held, LeaseKind.LOCK));
                // Redis 6 sends those who use some of the keys on to the new owner, too.
                boolean retried = ServerBinary.chosen().isAtLeast(7, 0);
                assertThat(torn).hasMessageContaining(retried ? "TRYAGAIN" : "ASK");
                assertThat(torn.isTransient()).isEqualTo(retried);
            } finally {
                move.keys();
                move.finish();
            }
            assertThat(failure(() -> renew(store, held, LeaseKind.LOCK))).hasMessageContaining("MOVED");
            try (RedisLeaseStore there = at(cluster.primaries().get(1))) {
                assertThat(renew(there, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
            }
            cluster.moveSlot(slot, node);
            assertThat(release(store, held)).isTrue();
        }
    }

    @Test
    void law27_a_cluster_that_lost_slots_refuses_for_a_while_and_its_report_says_so() {
        RedisProcess node = cluster.primaries().get(0);
        String name = name(owner -> owner == node);
        String slot = "" + cluster.slotOf(name);
        RedisClusterClient client = RedisClusterClient.create(cluster.uris().get(0));
        try (RedisLeaseStore store = at(node);
                RedisLeaseStore clustered = LettuceStores.of(client)) {
            node.cli("CLUSTER", "DELSLOTS", slot);
            try {
                await().until(() -> !node.cli("CLUSTER", "INFO").contains("cluster_state:ok"));
                StoreException refusal = refusal(store, name);
                assertThat(refusal.isTransient()).isTrue();
                assertThat(refusal).hasMessageContaining("CLUSTERDOWN");
                assertThat(slots(get(clustered.durability())))
                        .contains(Grade.DANGER + " cluster_state=fail cluster_slots_ok=16383");
            } finally {
                node.cli("CLUSTER", "ADDSLOTS", slot);
            }
            cluster.awaitOk();
            await().ignoreExceptions().until(() -> release(store, hold(store, lock(claim(name, "b")))));
        } finally {
            client.shutdown();
        }
    }

    @Test
    void the_report_over_either_client_tells_of_every_primary() {
        Set<HostAndPort> seeds = cluster.nodes().stream()
                .map(node -> new HostAndPort(RedisProcess.HOST, node.port()))
                .collect(Collectors.toSet());
        RedisClusterClient lettuce = RedisClusterClient.create(cluster.uris().get(0));
        try (UnifiedJedis jedis = redis.clients.jedis.RedisClusterClient.builder()
                        .nodes(seeds)
                        .build();
                RedisLeaseStore first = LettuceStores.of(lettuce);
                RedisLeaseStore second = JedisStores.of(jedis)) {
            for (RedisLeaseStore store : List.of(first, second)) {
                DurabilityReport report = get(store.durability());
                assertThat(report.findings().stream().map(Finding::server).distinct())
                        .containsExactlyInAnyOrderElementsOf(cluster.primaries().stream()
                                .map(node -> RedisProcess.HOST + ":" + node.port())
                                .toList());
                assertThat(slots(report))
                        .hasSize(3)
                        .containsOnly(Grade.GOOD + " cluster_state=ok cluster_slots_ok=16384");
                assertThat(report.worst()).isEqualTo(Grade.RISK); // nothing is kept
            }
        } finally {
            lettuce.shutdown();
        }
    }

    private static List<String> slots(DurabilityReport report) {
        return report.findings().stream()
                .filter(finding -> finding.setting().startsWith("cluster_"))
                .map(finding -> finding.grade() + " " + finding.setting())
                .toList();
    }
}
