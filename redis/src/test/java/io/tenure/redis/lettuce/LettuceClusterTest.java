package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.RedisClusterClient;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisScript;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The binding on a cluster: where scripts go, and what they are told. */
class LettuceClusterTest {
    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    private static String url() {
        return cluster.uris().get(0).replace("redis://", "redis-cluster://") + "?timeout=10s";
    }

    @Test
    void leases_lie_on_all_primaries_and_are_listed_from_all() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url())) {
            String prefix = fresh("spread");
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String name = store.canonicalName(prefix + "-" + i);
                names.add(name);
                Claim held = hold(store, lock(claim(name, "a")));
                assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
            }
            assertThat(names.stream().map(cluster::slotOf).map(cluster::ownerOf).distinct())
                    .hasSize(3);
            assertThat(get(store.list("{" + prefix, 100)))
                    .extracting(record -> record.name())
                    .containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void law20_a_release_wakes_a_waiter_whichever_node_it_happens_on() {
        RedisClusterClient client = RedisClusterClient.create(cluster.uris().get(1));
        try (RedisLeaseStore store = RedisLeaseStore.connect(url());
                RedisLeaseStore other = LettuceStores.of(client)) {
            String prefix = fresh("wake");
            List<String> woken = new CopyOnWriteArrayList<>();
            for (int i = 0; i < 12; i++) {
                String name = store.canonicalName(prefix + i);
                Claim held = hold(store, lock(claim(name, "a")));
                Claim waiting = claim(name, "b");
                other.wakeups().await(name, waiting.incarnation(), after -> woken.add(name));
                await().until(() -> other.wakeups().isLive());
                denied(other, waiting(lock(waiting), Duration.ofSeconds(20)));
                woken.remove(name);

                release(store, held);

                await().until(() -> woken.contains(name));
            }
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    @Test
    void law19_closing_right_after_calls_were_given_up_leaves_no_connection() {
        RedisScript nothing = RedisScript.of("nothing", "return redis.call('SET', KEYS[1], '')");
        await().untilAsserted(() -> assertThat(connections()).containsOnly(1L));

        for (int i = 0; i < 20; i++) {
            RedisPort port = LettuceClients.connect(url());
            List<String> names = List.of(fresh("a"), fresh("b"), fresh("c"), fresh("d"));
            cluster.primaries().forEach(node -> node.cli("CLIENT", "PAUSE", "60000", "WRITE"));
            try {
                names.forEach(name -> port.run(nothing, new byte[][] {name.getBytes(UTF_8)})
                        .toCompletableFuture()
                        .cancel(true));
                port.close();
            } finally {
                cluster.primaries().forEach(node -> node.cli("CLIENT", "UNPAUSE"));
            }
        }

        await().untilAsserted(() -> assertThat(connections()).containsOnly(1L));
    }

    /** How many are connected to each node; whoever asks is one. */
    private static List<Long> connections() {
        return cluster.nodes().stream()
                .map(node ->
                        node.cli("CLIENT", "LIST", "TYPE", "normal").lines().count())
                .toList();
    }

    // ---- what each node is known to have

    @Test
    void law29_a_script_goes_by_text_to_each_node_until_that_one_is_known_to_have_it() {
        for (RedisProcess node : cluster.primaries()) {
            node.cli("SCRIPT", "FLUSH");
            node.cli("CONFIG", "RESETSTAT");
        }
        String[] names = namesOnAllPrimaries();
        try (RedisLeaseStore store = RedisLeaseStore.connect(url())) {
            for (int round = 0; round < 3; round++) {
                for (String name : names) {
                    get(store.find(name));
                }
            }
            for (RedisProcess node : cluster.primaries()) {
                assertThat(calls(node, "eval")).as("by text, to " + node).isEqualTo(1);
                assertThat(calls(node, "evalsha")).as("by digest, to " + node).isEqualTo(2);
            }

            RedisProcess again = cluster.ownerOf(cluster.slotOf(names[0]));
            again.cli("CLIENT", "KILL", "TYPE", "normal");
            await().ignoreExceptions().until(() -> get(store.find(names[0])).isEmpty());
            get(store.find(names[1]));

            assertThat(calls(again, "eval"))
                    .as("a node that was lost may have been started again")
                    .isEqualTo(2);
            assertThat(calls(cluster.ownerOf(cluster.slotOf(names[1])), "eval")).isEqualTo(1);
        }
    }

    private static String[] namesOnAllPrimaries() {
        Map<RedisProcess, String> names = new LinkedHashMap<>();
        for (int i = 0; names.size() < cluster.primaries().size(); i++) {
            String name = "{" + fresh("on" + i) + "}";
            names.putIfAbsent(cluster.ownerOf(cluster.slotOf(name)), name);
        }
        return names.values().toArray(String[]::new);
    }

    private static int calls(RedisProcess node, String command) {
        return node.cli("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToInt(line -> Integer.parseInt(line.replaceAll("[^:]*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    // ---- renewals

    @Test
    void law5_renewals_on_other_nodes_neither_wait_for_a_node_that_hangs_nor_fail_with_it() throws Exception {
        String[] names = namesOnAllPrimaries();
        try (RedisLeaseStore store = RedisLeaseStore.connect(url())) {
            List<RenewRequest> requests = new ArrayList<>();
            for (String name : names) {
                requests.add(new RenewRequest(hold(store, election(claim(name, "a"))), LeaseKind.ELECTION, TTL));
            }
            RedisProcess hung = cluster.ownerOf(cluster.slotOf(names[0]));
            hung.pause();
            List<CompletionStage<Renewal>> renewals;
            try {
                renewals = store.renew(requests);

                assertThat(get(renewals.get(1))).isInstanceOf(Renewal.Renewed.class);
                assertThat(get(renewals.get(2))).isInstanceOf(Renewal.Renewed.class);
                assertThat(renewals.get(0).toCompletableFuture()).isNotDone();
            } finally {
                hung.resume();
            }
            assertThat(get(renewals.get(0))).isInstanceOf(Renewal.Renewed.class);
        }
    }
}
