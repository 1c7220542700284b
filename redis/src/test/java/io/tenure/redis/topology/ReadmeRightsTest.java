package io.tenure.redis.topology;

import static io.tenure.redis.StoreFixture.fresh;
import static io.tenure.redis.StoreFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.HeldLock;
import io.tenure.LeaseRecord;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.redis.Primaries;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
import io.tenure.redis.StoreClient;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.ReadmeUser;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ReplicaGroup;
import io.tenure.redis.servers.SentinelGroup;
import io.tenure.redis.servers.SlotMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rights that the README lists are enough, with either client, wherever it runs. */
class ReadmeRightsTest {
    private static final LockOptions LONG =
            LockOptions.ofTtl(Duration.ofSeconds(30)).build();
    /** Waits for replicas are short against it; the waiter below would otherwise try again meanwhile. */
    private static final LockOptions PUSHED = LockOptions.ofTtl(Duration.ofSeconds(30))
            .retryEvery(Duration.ofSeconds(25))
            .build();

    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final RedisStoreOptions ONE_REPLICA =
            RedisStoreOptions.builder().minReplicas(1, TIMEOUT).build();

    @RegisterExtension
    static final ReplicaGroup group = new ReplicaGroup(1);

    @RegisterExtension
    static final SentinelGroup sentinels = SentinelGroup.steady();

    @RegisterExtension // no fail-over, however busy the machine is
    static final ClusterGroup cluster = ClusterGroup.failingOver("--cluster-node-timeout", "30000");

    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    @BeforeEach
    void theUserOfTheReadmeOnEveryServer() {
        servers().forEach(server -> ReadmeUser.on(server.port()));
    }

    private static List<RedisProcess> servers() {
        List<RedisProcess> servers = new ArrayList<>(List.of(group.primary(), group.replica(0)));
        servers.addAll(sentinels.servers());
        servers.addAll(cluster.nodes());
        return servers;
    }

    private static void everywhere(String rule) {
        servers().forEach(server -> ReadmeUser.change(server.port(), rule));
    }

    private Tenure over(RedisLeaseStore store) {
        return Tenure.over(store).observer(events::add).open();
    }

    @ParameterizedTest
    @EnumSource
    void law27_the_rights_of_the_readme_are_enough_on_one_server(Client client) throws InterruptedException {
        everythingWorks(
                Primaries.of(group), client.limited(group.primary()), client.limited(group.primary()), "app:", "");
    }

    @ParameterizedTest
    @EnumSource
    void law27_the_rights_of_the_readme_are_enough_behind_sentinels(Client client) throws InterruptedException {
        everythingWorks(Primaries.of(sentinels), client.limited(sentinels), client.limited(sentinels), "app:", "");
    }

    @ParameterizedTest
    @EnumSource
    void law27_the_rights_of_the_readme_are_enough_on_a_cluster(Client client) throws InterruptedException {
        everythingWorks(Primaries.of(cluster), client.limited(cluster), client.limited(cluster), "app:", "");
    }

    @ParameterizedTest
    @EnumSource
    void law27_the_keys_that_operating_lists_are_enough_for_names_of_all_kinds(Client client)
            throws InterruptedException {
        servers().forEach(server -> ReadmeUser.on(server.port(), ReadmeUser.wordsForAnyName()));
        everythingWorks(
                Primaries.of(group), client.limited(group.primary()), client.limited(group.primary()), "any-", "jobs:");
        everythingWorks(Primaries.of(cluster), client.limited(cluster), client.limited(cluster), "any-", "jobs:");
    }

    /** Acquires with a replica's acknowledgement, renews, fences, lists, waits by push and releases. */
    private void everythingWorks(Primaries primaries, StoreClient one, StoreClient two, String prefix, String data)
            throws InterruptedException {
        try (one;
                two;
                RedisLeaseStore store = one.store(ONE_REPLICA);
                RedisLeaseStore other = two.store(ONE_REPLICA);
                Tenure holding = over(store);
                Tenure waiting = over(other)) {
            String name = store.canonicalName(fresh(prefix + "lock"));
            String key = data + data(name);
            HeldLock held = holding.lock(name, PUSHED).acquire();
            RedisFence fence = store.fence(name);
            fence.acknowledged(1, TIMEOUT).hset(held.token(), key, "f", "v");
            fence.batch(held.token()).hset(key, "g", "v").apply();
            fence.claim(held.token());
            fence.del(held.token(), key);
            CompletionStage<Optional<HeldLock>> next =
                    waiting.lock(name, PUSHED).tryAcquireAsync(Duration.ofSeconds(20));
            Instances.until(
                    "it waits",
                    () -> primaries
                                    .ownerOf(name)
                                    .cli("ZCARD", name + ":waiters")
                                    .equals("1")
                            && other.wakeups().isLive());
            held.refresh();
            assertThat(holding.list(store.canonicalName(prefix).replace("}", ""), 1_000))
                    .extracting(LeaseRecord::name)
                    .contains(name);

            held.release();

            HeldLock taken = get(next).orElseThrow();
            assertThat(taken.token()).isGreaterThan(held.token());
            assertThat(get(store.evict(holding.find(name).orElseThrow()))).isTrue();
        }
        assertThat(events)
                .noneMatch(event -> event instanceof TenureEvent.StoreWarning
                        || event instanceof TenureEvent.AttemptFailed
                        || event instanceof TenureEvent.RenewalFailed
                        || event instanceof TenureEvent.ReleaseFailed);
    }

    private static String data(String name) {
        return name + ":data";
    }

    // ---- a slot on its way

    private static SlotMove move(String name) {
        int slot = cluster.slotOf(name);
        RedisProcess owner = cluster.ownerOf(slot);
        SlotMove move = cluster.beginMove(
                slot,
                cluster.primaries().stream()
                        .filter(node -> node != owner)
                        .findFirst()
                        .orElseThrow());
        move.keys();
        return move;
    }

    @ParameterizedTest
    @EnumSource
    void law27_the_rights_of_the_readme_are_enough_while_a_slot_is_moved(Client client) throws InterruptedException {
        try (StoreClient limited = client.limited(cluster);
                RedisLeaseStore store = limited.store(RedisStoreOptions.defaults());
                Tenure tenure = over(store)) {
            String name = store.canonicalName(fresh("app:moved"));
            HeldLock held = tenure.lock(name, LONG).acquire();
            RedisFence fence = store.fence(name);
            fence.hset(held.token(), data(name), "f", "v");
            SlotMove move = move(name);

            held.refresh();
            fence.hset(held.token(), data(name), "f", "w");
            assertThat(move.from().cli("CLUSTER", "COUNTKEYSINSLOT", "" + cluster.slotOf(name)))
                    .as("it was all done by ASK")
                    .isEqualTo("0");

            move.finish();
            held.release();
            tenure.lock(name, LONG).acquire().release();
        }
        assertThat(events).noneMatch(event -> event instanceof TenureEvent.StoreWarning);
    }

    @ParameterizedTest
    @EnumSource
    void law27_without_the_right_to_ask_a_lease_in_a_slot_that_is_moved_says_so_and_is_kept_by_granting_it(
            Client client) throws InterruptedException {
        everywhere("-asking");
        try (StoreClient limited = client.limited(cluster);
                RedisLeaseStore store = limited.store(RedisStoreOptions.defaults());
                Tenure tenure = over(store)) {
            String name = store.canonicalName(fresh("app:moved"));
            HeldLock held = tenure.lock(name, LONG).acquire();
            SlotMove move = move(name);

            assertLacks("'ASKING'", held::refresh);
            everywhere("+asking");
            held.refresh();
            held.requireHeld();

            move.finish();
            held.release();
        }
    }

    // ---- what else is named

    private static void assertLacks(String command, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("The user may not run " + command);
    }

    @ParameterizedTest
    @EnumSource
    void law27_without_the_right_to_wait_for_replicas_who_asks_for_them_is_told_and_no_lease_is_left(Client client)
            throws InterruptedException {
        everywhere("-wait");
        waitIsNamed(client.limited(group.primary()));
        waitIsNamed(client.limited(cluster));
    }

    private void waitIsNamed(StoreClient client) throws InterruptedException {
        try (client;
                RedisLeaseStore store = client.store(ONE_REPLICA);
                Tenure acknowledged = over(store);
                Tenure plain = over(client.store(RedisStoreOptions.defaults()))) {
            String name = store.canonicalName(fresh("app:lock"));
            assertLacks("'WAIT'", () -> acknowledged.lock(name, LONG).tryAcquire());
            assertThat(plain.find(name)).isEmpty();

            HeldLock held = plain.lock(name, LONG).acquire();
            RedisFence fence = store.fence(name);
            assertLacks("'WAIT'", () -> fence.acknowledged(1, TIMEOUT).set(held.token(), data(name), "v"));
            held.release();
        }
    }

    @Test
    void law27_replicas_of_a_cluster_are_asked_by_the_user_of_a_given_client_of_lettuces() throws InterruptedException {
        everywhere("-wait");
        waitIsNamed(StoreClient.lettuceCluster(ReadmeUser.in(cluster.uris().get(0))));
    }

    @Test
    void law27_a_user_is_on_no_replica_but_where_it_was_made() {
        RedisProcess replica = group.replica(0);
        replica.cli("ACL", "DELUSER", ReadmeUser.NAME);
        ReadmeUser.on(group.primary().port());
        group.awaitInSync();

        assertThat(replica.cli("ACL", "USERS")).doesNotContain(ReadmeUser.NAME);
    }
}
