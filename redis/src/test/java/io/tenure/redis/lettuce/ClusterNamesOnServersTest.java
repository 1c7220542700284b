package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockNotAcquiredException;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SlotMove;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names and slots on a cluster: where the keys of a name lie, and what becomes of a name whose slot moves. */
class ClusterNamesOnServersTest {
    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    private RedisLeaseStore store;

    @BeforeEach
    void connect() {
        store = RedisLeaseStore.connect(cluster.uris().get(2).replace("redis://", "redis-cluster://") + "?timeout=10s");
    }

    @AfterEach
    void close() {
        store.close();
    }

    static Stream<String> names() {
        String letters = "abcdefghijklmnopqrst";
        return Stream.of("a", "a:b", "{x}", "x{y}z", "задача-議事", letters.repeat(10), "with a blank");
    }

    @ParameterizedTest
    @MethodSource("names")
    void law28_a_name_is_acquired_waited_for_renewed_fenced_and_released_in_one_slot(String name) throws Exception {
        Set<String> before = keys();
        Tenure tenure = Tenure.over(store).open();
        try (Tenure other = Tenure.over(RedisLeaseStore.connect(
                        cluster.uris().get(0).replace("redis://", "redis-cluster://") + "?timeout=10s"))
                .open()) {
            LockOptions options = LockOptions.ofTtl(Duration.ofSeconds(30)).build();
            HeldLock held = tenure.lock(name, options).tryAcquire().orElseThrow();
            CompletableFuture<Optional<HeldLock>> waiter = other.lock(name, options)
                    .tryAcquireAsync(Duration.ofSeconds(30))
                    .toCompletableFuture();
            String canonical = store.canonicalName(name);
            await("somebody waits").until(() -> keys().contains(canonical + ":waiters"));
            held.refresh();
            RedisFence fence = store.fence(name);
            fence.set(held.token(), canonical + ":state", "v");

            held.release();

            HeldLock next = waiter.get(30, TimeUnit.SECONDS).orElseThrow();
            assertThat(next.token()).isGreaterThan(held.token());
            assertStale(
                    () -> fence.set(held.token(), canonical + ":state", "stale"),
                    canonical,
                    held.token(),
                    next.token());
            assertThat(tenure.find(name))
                    .hasValueSatisfying(record -> assertThat(record.token()).isEqualTo(next.token()));
            Set<String> own = keys();
            own.removeAll(before);
            assertThat(own).contains(canonical + ":leader", canonical + ":fence", canonical + ":state");
            assertThat(own.stream().map(SlotHash::getSlot).distinct())
                    .as("" + own)
                    .hasSize(1);
            next.release();
        } finally {
            tenure.close();
        }
    }

    private static Set<String> keys() {
        Set<String> all = new HashSet<>();
        for (RedisProcess node : cluster.primaries()) {
            node.cli("KEYS", "*").lines().filter(key -> !key.isEmpty()).forEach(all::add);
        }
        return all;
    }

    @Test
    void law26_a_fence_beside_a_lease_that_is_kept_elsewhere_refuses_it_by_the_name_that_it_has_there() {
        RedisClusterClient client = RedisClusterClient.create(cluster.uris().get(0));
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        AtomicLong refused = new AtomicLong();
        try (RedisPort port = LettuceStores.port(client);
                Tenure elsewhere = Tenure.over(MemoryLeaseStore.create())
                        .observer(events::add)
                        .open()) {
            RedisFence fence = RedisFence.external(port, "kept-elsewhere");
            Elector elector = elsewhere.elector(
                    "kept-elsewhere",
                    ElectorOptions.ofTtl(Duration.ofSeconds(5)).claims(fence).build());
            elector.campaign(term -> {
                if (refused.compareAndSet(0, term.token())) {
                    fence.claim(term.token() + 1); // as a successor does
                    fence.bind(term).set("{kept-elsewhere}:state", "late");
                }
                term.ended().toCompletableFuture().get();
            });
            TenureEvent lost = new TenureEvent.LeaseLost(
                    "kept-elsewhere", await("refused").until(refused::get, token -> token > 0), EndReason.TAKEN);
            await("is told").until(() -> events.contains(lost));
            await("leads anew").until(() -> elector.token().orElse(0) > refused.get() + 1);

            assertThat(events).noneMatch(TenureEvent.WorkFailed.class::isInstance);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    @Test
    void law28_a_name_that_no_braces_can_tag_is_refused_with_the_reason() {
        try (Tenure tenure = Tenure.over(store).open()) {
            for (String name : List.of("}a", "}", "{}")) {
                assertThatThrownBy(() -> tenure.lock(name))
                        .as(name)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'" + name + "'")
                        .hasMessageContaining("hash tag");
            }
        }
    }

    @Test
    void law28_a_name_and_the_same_in_braces_are_one_lease_locally_too() throws Exception {
        try (Tenure tenure = Tenure.over(store).open()) {
            LeaseLock bare = tenure.lock("one");
            HeldLock held = bare.tryAcquire().orElseThrow();

            assertThat(tenure.lock("{one}").tryAcquire()).isEmpty();
            assertThatThrownBy(() -> tenure.lock("{one}").run(lease -> {}))
                    .isInstanceOf(LockNotAcquiredException.class);

            held.release();
            assertThat(tenure.lock("{one}").tryAcquire()).hasValueSatisfying(HeldLock::close);
            tenure.elector("two");
            assertThatThrownBy(() -> tenure.elector("{two}")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void law28_a_fenced_write_to_another_slot_is_refused_before_it_is_sent_naming_both_slots() {
        String name = store.canonicalName(fresh("job"));
        Claim held = hold(store, lock(claim(name, "a")));

        assertThatThrownBy(() -> store.fence(name).set(held.token(), "elsewhere", "v"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slot " + cluster.slotOf(name))
                .hasMessageContaining("slot " + cluster.slotOf("elsewhere"));
        assertThat(keys()).doesNotContain("elsewhere");
    }

    // ---- slots that move

    @Test
    void law28_a_held_name_whose_slot_moves_is_renewed_in_the_middle_and_afterwards() {
        String name = store.canonicalName(fresh("moving"));
        int slot = cluster.slotOf(name);
        RedisProcess to = cluster.primaries().stream()
                .filter(node -> node != cluster.ownerOf(slot))
                .findFirst()
                .orElseThrow();
        Claim held = hold(store, election(claim(name, "a")));

        SlotMove move = cluster.beginMove(slot, to);
        assertThat(renew(store, held, LeaseKind.ELECTION)).as("all keys here").isInstanceOf(Renewal.Renewed.class);
        move.keys();
        assertThat(renew(store, held, LeaseKind.ELECTION)).as("ASK").isInstanceOf(Renewal.Renewed.class);
        move.finish();
        assertThat(renew(store, held, LeaseKind.ELECTION)).as("MOVED").isInstanceOf(Renewal.Renewed.class);

        assertThat(to.cli("EXISTS", name + ":leader")).isEqualTo("1");
        assertThat(release(store, held)).isTrue();
        assertThat(granted(store, lock(claim(name, "b"))).token()).isGreaterThan(held.token());
    }

    @Test
    void law27_keys_that_lie_on_two_nodes_for_a_moment_are_trouble_that_passes() {
        String name = store.canonicalName(fresh("split"));
        int slot = cluster.slotOf(name);
        RedisProcess to = cluster.primaries().stream()
                .filter(node -> node != cluster.ownerOf(slot))
                .findFirst()
                .orElseThrow();
        Claim held = hold(store, election(claim(name, "a")));

        SlotMove move = cluster.beginMove(slot, to);
        move.keys(List.of(name + ":leader"));
        assertThat(failure(() -> renew(store, held, LeaseKind.ELECTION)))
                .satisfies(e -> assertThat(e.isTransient()).as(e.getMessage()).isTrue())
                .hasMessageContaining("TRYAGAIN");
        move.keys();
        move.finish();

        assertThat(renew(store, held, LeaseKind.ELECTION)).isInstanceOf(Renewal.Renewed.class);
    }
}
