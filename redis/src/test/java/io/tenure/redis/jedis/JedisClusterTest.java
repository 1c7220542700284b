package io.tenure.redis.jedis;

import static io.tenure.redis.StoreFixture.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.StoreException;
import io.tenure.redis.JedisStores;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import io.tenure.redis.StoreFixture;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SlotMove;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.UnifiedJedis;

/** A client of a cluster. */
class JedisClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final RedisScript COUNT = RedisScript.of("count", "return redis.call('INCR', KEYS[1])");

    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.failingOver();

    private UnifiedJedis client;
    private RedisLeaseStore store;

    @BeforeEach
    void open() {
        client = JedisFixture.client(cluster, Duration.ofSeconds(2));
        store = JedisStores.of(client);
    }

    @AfterEach
    void close() {
        store.close();
        client.close();
    }

    private String fresh(String what) {
        return store.canonicalName(StoreFixture.fresh(what));
    }

    /** Names that live on three different primaries. */
    private Map<RedisProcess, String> onEach(String what) {
        Map<RedisProcess, String> names = new HashMap<>();
        while (names.size() < 3) {
            String name = fresh(what);
            names.put(cluster.ownerOf(cluster.slotOf(name)), name);
        }
        return names;
    }

    @Test
    void law28_a_lease_lives_renews_wakes_and_is_fenced_on_every_primary() {
        Map<String, List<Duration>> woken = new HashMap<>();
        List<Claim> held = new ArrayList<>();
        for (String name : onEach("verbs").values()) {
            Claim claim = hold(store, election(claim(name, "a")));
            RedisFence fence = store.fence(name);
            fence.hset(claim.token(), name + ":data", "field", "value");
            assertThat(client.hget(name + ":data", "field")).isEqualTo("value");
            assertThat(renew(store, claim, LeaseKind.ELECTION)).isInstanceOf(Renewal.Renewed.class);
            woken.put(name, new CopyOnWriteArrayList<>());
            store.wakeups().await(name, "waiter", woken.get(name)::add);
            denied(store, waiting(election(new Claim(name, "b", "waiter", 1, 0)), PATIENCE));
            held.add(claim);
        }
        await().atMost(PATIENCE).until(() -> store.wakeups().isLive());
        woken.values().forEach(List::clear);

        for (Claim claim : held) {
            assertThat(release(store, claim)).isTrue();
            await().atMost(PATIENCE).until(() -> woken.get(claim.name()).contains(Duration.ZERO));
        }
        assertThat(get(store.list("{verbs", 1_000))).isEmpty();
    }

    @Test
    void law28_leases_of_all_primaries_are_listed() {
        List<String> names = onEach("listed").values().stream().sorted().toList();
        List<Claim> held =
                names.stream().map(name -> hold(store, lock(claim(name, "a")))).toList();

        assertThat(get(store.list("{listed", 1_000)))
                .extracting(record -> record.name())
                .containsExactlyElementsOf(names);
        held.forEach(claim -> assertThat(release(store, claim)).isTrue());
    }

    @Test
    void law28_a_lease_is_kept_while_its_slot_moves_and_each_script_runs_once() {
        String name = fresh("moved");
        int slot = cluster.slotOf(name);
        RedisProcess from = cluster.ownerOf(slot);
        RedisProcess to = cluster.primaries().stream()
                .filter(other -> other != from)
                .findFirst()
                .orElseThrow();
        Claim held = hold(store, election(claim(name, "a")));
        byte[][] counter = {(name + ":count").getBytes(UTF_8)};
        try (RedisPort port = JedisStores.port(client)) {
            assertThat(get(port.run(COUNT, counter)).asLong()).isEqualTo(1);
            SlotMove move = cluster.beginMove(slot, to);
            move.keys();
            assertThat(get(port.run(COUNT, counter)).asLong()).as("by ASK").isEqualTo(2);
            assertThat(renew(store, held, LeaseKind.ELECTION)).as("by ASK").isInstanceOf(Renewal.Renewed.class);
            move.finish();
            assertThat(get(port.run(COUNT, counter)).asLong()).as("by MOVED").isEqualTo(3);
            assertThat(get(port.run(COUNT, counter)).asLong()).isEqualTo(4);
        }
        assertThat(renew(store, held, LeaseKind.ELECTION)).isInstanceOf(Renewal.Renewed.class);
        store.fence(name).set(held.token(), name + ":data", "x");
        assertThat(release(store, held)).isTrue();
    }

    @Test
    void law5_a_primary_that_hangs_holds_up_no_lease_of_the_others_and_its_own_live_on_at_its_successor() {
        Map<RedisProcess, String> names = onEach("hung");
        Map<RedisProcess, Claim> held = new HashMap<>();
        names.forEach((owner, name) -> held.put(owner, hold(store, election(claim(name, "a")))));
        RedisProcess hung = names.keySet().iterator().next();
        int slot = cluster.slotOf(names.get(hung));
        cluster.awaitOk(); // its replica has the lease
        hung.pause();
        try {
            // More than there are threads for that server.
            List<CompletionStage<?>> stuck = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                stuck.add(store.acquire(lock(claim(names.get(hung), "crowd" + i))));
            }
            held.forEach((owner, claim) -> {
                if (owner != hung) {
                    assertThat(renew(store, claim, LeaseKind.ELECTION)).isInstanceOf(Renewal.Renewed.class);
                }
            });
            assertThat(stuck).noneMatch(call -> call.toCompletableFuture().isDone());
            StoreException e = failure(() -> renew(store, held.get(hung), LeaseKind.ELECTION));
            assertThat(e.isTransient()).isTrue();
            assertThat(e).hasMessageContaining("127.0.0.1:" + hung.port());

            cluster.awaitFailover(slot, hung);
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> renew(store, held.get(hung), LeaseKind.ELECTION) instanceof Renewal.Renewed);
            await("pushes come from a node that lives").atMost(PATIENCE).until(() -> isWoken(names.get(hung)));
        } finally {
            hung.resume();
        }
        cluster.awaitOk();
    }

    private boolean isWoken(String name) {
        List<Duration> wakes = new CopyOnWriteArrayList<>();
        String waiter = StoreFixture.fresh("waiter");
        try (var waiting = store.wakeups().await(name, waiter, wakes::add)) {
            assertThat(waiting).isNotNull();
            await().atMost(PATIENCE).until(() -> store.wakeups().isLive());
            wakes.clear();
            RedisScript tell = RedisScript.of("tell", "return redis.call('PUBLISH', ARGV[1], ARGV[2])");
            try (RedisPort port = JedisStores.port(client)) {
                RedisReply told = get(port.run(
                        tell,
                        new byte[][] {name.getBytes(UTF_8)},
                        ("tenure:wake:" + waiter).getBytes(UTF_8),
                        ("0 " + name).getBytes(UTF_8)));
                assertThat(told.asLong()).isGreaterThanOrEqualTo(0);
            }
            await().atMost(PATIENCE).until(() -> wakes.contains(Duration.ZERO));
            return true;
        }
    }
}
