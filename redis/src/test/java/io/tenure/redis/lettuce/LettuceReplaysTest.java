package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.tenure.StoreException;
import io.tenure.redis.LeaseUnderWay;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.spi.Claim;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A connection that is cut between request and answer: nothing is done behind anybody's back when there is one again. */
class LettuceReplaysTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    private static final RedisProcess server = RedisProcess.of();

    @BeforeAll
    static void start() {
        server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    // ---- requests that do not arrive, and whose connection is made again a while later

    @Test
    void law8_what_a_client_of_our_own_could_not_send_is_not_done_when_the_network_is_back() {
        try (TcpRelay network = TcpRelay.to(server.port());
                RedisLeaseStore store =
                        RedisLeaseStore.connect("redis://127.0.0.1:" + network.port() + "?timeout=1m")) {
            assertNothingIsSentLate(store, network);
        }
    }

    @Test
    void law8_what_a_given_client_with_its_defaults_could_not_send_is_not_done_when_the_network_is_back() {
        try (TcpRelay network = TcpRelay.to(server.port())) {
            RedisClient client = RedisClient.create("redis://127.0.0.1:" + network.port());
            try (RedisLeaseStore store = LettuceStores.of(client)) {
                assertNothingIsSentLate(store, network);
            } finally {
                client.shutdown(0, 2, TimeUnit.SECONDS);
            }
        }
    }

    private static void assertNothingIsSentLate(RedisLeaseStore store, TcpRelay network) {
        LeaseUnderWay lease = new LeaseUnderWay(store, server);
        network.swallow(Direction.TO_SERVER);
        Map<String, CompletionStage<?>> calls = lease.useAll();
        network.refuse();
        network.cut();

        assertFailed(calls);
        // And one that is called, and given up, while there is no connection.
        store.acquire(lock(claim(lease.name() + "later", "b")))
                .toCompletableFuture()
                .cancel(false);
        network.pass(Direction.TO_SERVER);
        network.accept();

        awaitAnswer(store);
        lease.assertUntouched();
        assertThat(server.cli("EXISTS", lease.name() + "later:leader")).isEqualTo("0");
    }

    /** What a client sends again, it sends before anything new. */
    private static void awaitAnswer(RedisLeaseStore store) {
        await().atMost(BOUND)
                .ignoreExceptions()
                .until(() -> get(store.find("any")).isEmpty());
    }

    private static void assertFailed(Map<String, CompletionStage<?>> calls) {
        calls.forEach((what, call) -> {
            StoreException e = failure(() -> get(call));
            assertThat(e).as(what).isNotNull().hasMessageContaining("No connection to");
            assertThat(e.isTransient()).as(what).isTrue();
        });
    }

    // ---- requests that are carried out, and whose answers are lost

    @Test
    void law3_an_attempt_whose_answer_is_lost_with_the_connection_counts_once() {
        try (TcpRelay network = TcpRelay.to(server.port())) {
            RedisClient client = RedisClient.create("redis://127.0.0.1:" + network.port());
            try (RedisLeaseStore given = LettuceStores.of(client);
                    RedisLeaseStore own =
                            RedisLeaseStore.connect("redis://127.0.0.1:" + network.port() + "?timeout=1m")) {
                for (RedisLeaseStore store : List.of(given, own)) {
                    String name = fresh("lost");
                    Claim claim = claim(name, "a");
                    awaitAnswer(store);
                    network.swallow(Direction.TO_CLIENT);
                    CompletionStage<?> answer = store.acquire(lock(claim));
                    await().atMost(BOUND)
                            .until(() -> server.cli("EXISTS", name + ":leader").equals("1"));
                    long token = Long.parseLong(server.cli("GET", name + ":fence"));
                    network.cut();
                    network.pass(Direction.TO_CLIENT);

                    assertFailed(Map.of("acquire", answer));
                    awaitAnswer(store);
                    assertThat(server.cli("GET", name + ":fence")).isEqualTo("" + token);
                    assertThat(granted(store, lock(claim)).token()).isEqualTo(token);
                }
            } finally {
                client.shutdown(0, 2, TimeUnit.SECONDS);
            }
        }
    }

    // ---- the same on a cluster

    @Test
    void law8_nodes_of_a_cluster_are_sent_nothing_late_either() {
        RedisClusterClient client = RedisClusterClient.create(cluster.uris().get(0));
        try (RedisLeaseStore given = LettuceStores.of(client);
                RedisLeaseStore own = RedisLeaseStore.connect(
                        cluster.uris().get(0).replace("redis://", "redis-cluster://") + "?timeout=1m")) {
            for (RedisLeaseStore store : List.of(given, own)) {
                RedisProcess owner = cluster.ownerOf(cluster.slotOf("{replays}"));
                LeaseUnderWay lease = new LeaseUnderWay(store, owner);
                owner.cli("CLIENT", "PAUSE", "60000", "WRITE");
                Map<String, CompletionStage<?>> calls = lease.useAll();
                await().atMost(BOUND).until(() -> owner.cli("CLIENT", "LIST").contains("cmd=eval"));
                owner.cli("CLIENT", "KILL", "TYPE", "normal");
                assertFailed(calls);
                owner.cli("CLIENT", "UNPAUSE");

                await().atMost(BOUND)
                        .ignoreExceptions()
                        .until(() -> get(store.find(lease.name())).isPresent());
                lease.assertUntouched();
            }
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }
}
