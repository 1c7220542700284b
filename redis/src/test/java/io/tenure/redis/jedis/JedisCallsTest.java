package io.tenure.redis.jedis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.StoreException;
import io.tenure.redis.JedisStores;
import io.tenure.redis.LeaseUnderWay;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.StoreFixture;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.spi.Claim;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Calls whose connection is cut between request and answer, or whose server hangs, on one server and on a cluster. */
class JedisCallsTest {
    private static final Duration BOUND = Duration.ofSeconds(60);
    /** No call of these tests ends by it, but where it says so. */
    private static final Duration LONG = Duration.ofSeconds(60);

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

    /** Of a kind that sends its own commands up to five times. */
    private static UnifiedJedis retrying(int port) {
        return JedisFixture.retrying(
                new PooledConnectionProvider(new HostAndPort(RedisProcess.HOST, port), JedisFixture.config(LONG)));
    }

    // ---- cut before the server has done it

    @Test
    void law8_what_a_server_had_not_done_when_the_connection_was_cut_is_not_done_later() {
        try (UnifiedJedis client = retrying(server.port());
                RedisLeaseStore store = JedisStores.of(client)) {
            assertNothingIsDoneLater(store, server);
        }
    }

    @Test
    void law8_what_a_node_of_a_cluster_had_not_done_when_the_connection_was_cut_is_not_done_later() {
        try (UnifiedJedis client = JedisFixture.client(cluster, LONG);
                RedisLeaseStore store = JedisStores.of(client)) {
            assertNothingIsDoneLater(store, cluster.ownerOf(cluster.slotOf("{replays}")));
        }
    }

    private static void assertNothingIsDoneLater(RedisLeaseStore store, RedisProcess owner) {
        LeaseUnderWay lease = new LeaseUnderWay(store, owner);
        Map<String, CompletionStage<?>> calls =
                useAllBefore(lease, owner, () -> owner.cli("CLIENT", "KILL", "TYPE", "normal"));

        assertFailed(calls);
        awaitAnswer(store, lease);
        lease.assertUntouched();
    }

    /** Calls that reach the server, and wait there until {@code then} is over. */
    private static Map<String, CompletionStage<?>> useAllBefore(
            LeaseUnderWay lease, RedisProcess owner, Runnable then) {
        owner.cli("CLIENT", "PAUSE", "60000", "WRITE");
        try {
            Map<String, CompletionStage<?>> calls = lease.useAll();
            await().atMost(BOUND).until(() -> blocked(owner) == calls.size());
            then.run();
            return calls;
        } finally {
            owner.cli("CLIENT", "UNPAUSE");
        }
    }

    private static long blocked(RedisProcess owner) {
        return owner.cli("CLIENT", "LIST")
                .lines()
                .filter(line -> line.contains("flags=b"))
                .count();
    }

    private static void assertFailed(Map<String, CompletionStage<?>> calls) {
        calls.forEach((what, call) -> {
            StoreException e = failure(() -> get(call));
            assertThat(e).as(what).isNotNull().hasMessageContaining("may have been carried out");
            assertThat(e.isTransient()).as(what).isTrue();
        });
    }

    /** What is sent again would be before this. */
    private static void awaitAnswer(RedisLeaseStore store, LeaseUnderWay lease) {
        await().atMost(BOUND)
                .ignoreExceptions()
                .until(() -> get(store.find(lease.name())).isPresent());
    }

    // ---- cut after the server has done it

    @Test
    void law3_what_a_server_had_done_when_the_connection_was_cut_is_done_once() {
        try (TcpRelay network = TcpRelay.to(server.port());
                UnifiedJedis client = retrying(network.port());
                RedisLeaseStore store = JedisStores.of(client)) {
            assertAllIsDoneOnce(store, server, network);
        }
    }

    @Test
    void law3_what_a_node_of_a_cluster_had_done_when_the_connection_was_cut_is_done_once() {
        RedisProcess owner = cluster.ownerOf(cluster.slotOf("{replays}"));
        try (TcpRelay network = TcpRelay.to(owner.port());
                UnifiedJedis client = JedisFixture.client(cluster, LONG, Map.of(owner.port(), network.port()));
                RedisLeaseStore store = JedisStores.of(client)) {
            assertAllIsDoneOnce(store, owner, network);
        }
    }

    private static void assertAllIsDoneOnce(RedisLeaseStore store, RedisProcess owner, TcpRelay network) {
        // Leaves a connection for each call: to make one takes answers.
        useAllBefore(new LeaseUnderWay(store, owner), owner, () -> {}).values().forEach(StoreFixture::get);
        LeaseUnderWay lease = new LeaseUnderWay(store, owner);
        network.hold(Direction.TO_CLIENT);
        Map<String, CompletionStage<?>> calls = lease.useAll();
        await().atMost(BOUND).until(lease::isDone);
        lease.putBack();
        network.cut();
        network.pass(Direction.TO_CLIENT);

        assertFailed(calls);
        awaitAnswer(store, lease);
        lease.assertDoneOnce();
    }

    // ---- a server that hangs

    @Test
    void law5_while_a_node_hangs_with_all_its_threads_leases_of_the_others_are_taken_written_under_and_left() {
        try (UnifiedJedis client = JedisFixture.client(cluster, LONG);
                RedisLeaseStore store = JedisStores.of(client)) {
            Map<RedisProcess, String> names = new HashMap<>();
            while (names.size() < 3) {
                String name = store.canonicalName(StoreFixture.fresh("hung"));
                names.put(cluster.ownerOf(cluster.slotOf(name)), name);
            }
            RedisProcess hung = names.keySet().iterator().next();
            List<CompletionStage<?>> stuck = new ArrayList<>();
            hung.pause();
            try {
                for (int i = 0; i < 40; i++) {
                    stuck.add(store.acquire(lock(claim(names.get(hung), "crowd" + i))));
                }
                names.forEach((owner, name) -> {
                    if (owner != hung) {
                        Claim held = hold(store, lock(claim(name, "a")));
                        store.fence(name).set(held.token(), name + ":data", "x");
                        assertThat(client.get(name + ":data")).isEqualTo("x");
                        assertThat(get(store.find(name))).isPresent();
                        assertThat(release(store, held)).isTrue();
                    }
                });
                assertThat(stuck).noneMatch(call -> call.toCompletableFuture().isDone());
            } finally {
                hung.resume();
            }
            stuck.forEach(StoreFixture::get);
        }
    }

    @Test
    void law19_a_store_whose_server_hangs_closes_at_once_and_leaves_no_thread() {
        Set<Thread> others = Thread.getAllStackTraces().keySet();
        try (UnifiedJedis client = JedisFixture.client(RedisProcess.HOST, server.port(), Duration.ofSeconds(2))) {
            RedisLeaseStore store = JedisStores.of(client);
            store.wakeups().await("closed", "waiter", after -> {});
            await().atMost(BOUND).until(() -> store.wakeups().isLive());
            server.pause();
            try {
                List<CompletionStage<?>> stuck = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    stuck.add(store.acquire(lock(claim("closed", "crowd" + i))));
                }
                assertThat(threads(others)).as("for calls and for pushes").hasSizeGreaterThan(4);
                long before = System.nanoTime();

                store.close();

                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
                assertThat(stuck)
                        .as("what had not been sent fails with it")
                        .filteredOn(call -> !call.toCompletableFuture().isDone())
                        .hasSizeLessThan(16);
                await("all calls end")
                        .atMost(BOUND)
                        .until(() -> stuck.stream()
                                .allMatch(call -> call.toCompletableFuture().isCompletedExceptionally()));
                await("all threads end")
                        .atMost(BOUND)
                        .until(() -> threads(others).isEmpty());
            } finally {
                server.resume();
            }
        }
    }

    private static List<Thread> threads(Set<Thread> others) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tenure-redis") && !others.contains(thread))
                .toList();
    }
}
