package io.tenure.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.StaleTokenException;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Takeover;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the memory store promises beyond the laws of all stores, which the test kit proves. */
class MemoryLeaseStoreTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    private final ManualTimeline time = new ManualTimeline();
    private final MemoryLeaseStore store = MemoryLeaseStore.on(time);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endTheThreads() {
        threads.shutdownNow();
    }

    @Test
    void answers_are_complete_when_the_call_returns() {
        assertThat(store.acquire(request("a", "alice", LeaseKind.LOCK)).toCompletableFuture())
                .isCompleted();
        assertThat(store.find("a").toCompletableFuture()).isCompleted();
    }

    @Test
    void peers_share_their_data_and_stores_do_not() {
        granted(store, "a", LeaseKind.LOCK);

        assertThat(now(store.peer().find("a"))).isPresent();
        assertThat(now(MemoryLeaseStore.on(time).find("a"))).isEmpty();
    }

    @Test
    void a_store_without_a_timeline_goes_by_the_monotonic_clock() {
        try (MemoryLeaseStore own = MemoryLeaseStore.create()) {
            Claim first = granted(own, "a", LeaseKind.ELECTION);
            assertThat(now(own.release(release(first)))).isTrue();
            assertThat(granted(own, "a", LeaseKind.ELECTION).token()).isGreaterThan(first.token());
        }
    }

    @Test
    void law05_a_late_release_does_not_burn_the_same_number_under_which_somebody_else_leads() {
        MemoryLeaseStore counting = MemoryLeaseStore.builder()
                .timeline(time)
                .tokens(TokenSource.COUNTER)
                .open();
        Claim first = granted(counting, "a", LeaseKind.ELECTION);
        counting.data().loseEverything();
        Claim second = granted(counting, "a", LeaseKind.LOCK);
        assertThat(second.token()).isEqualTo(first.token());

        Claim stranger = new Claim("a", "somebody else", "gone", 1, first.token());
        assertThat(now(counting.release(new ReleaseRequest(stranger, Duration.ZERO, ReleaseMode.BURN))))
                .isFalse();

        counting.fence("a").claim(second.token());
        assertThat(now(counting.find("a"))).isPresent();
    }

    @Test
    void law06_tokens_are_counted_up_from_the_clock_in_microseconds() {
        time.advance(Duration.ofSeconds(5));

        assertThat(granted(store, "a", LeaseKind.ELECTION).token()).isEqualTo(5_000_001);
    }

    @Test
    void law06_tokens_from_the_counter_alone_are_counted_up_from_one() {
        MemoryLeaseStore counting = MemoryLeaseStore.builder()
                .timeline(time)
                .tokens(TokenSource.COUNTER)
                .open();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            time.advance(Duration.ofDays(1));
            Claim claim = granted(counting, "a", LeaseKind.LOCK);
            tokens.add(claim.token());
            now(counting.release(release(claim)));
        }

        assertThat(tokens).containsExactly(1L, 2L, 3L);
    }

    @Test
    void law06_a_retention_is_refused_when_the_counter_alone_makes_the_tokens() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryLeaseStore.builder()
                        .tokens(TokenSource.COUNTER)
                        .retention(TTL)
                        .open())
                .withMessageContaining("retention")
                .withMessageContaining("COUNTER");
    }

    @Test
    void a_retention_out_of_range_is_refused() {
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(366))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> MemoryLeaseStore.builder().retention(wrong).open())
                    .withMessageContaining(wrong.toString());
        }
    }

    @Test
    void law06_a_clock_beyond_2_to_the_52_microseconds_is_left_out_and_reported() {
        List<TenureEvent> events = new ArrayList<>();
        store.listen(events::add);
        Claim before = granted(store, "a", LeaseKind.ELECTION);
        time.advance(Duration.ofNanos((1L << 52) * 1_000).plusMillis(1));

        assertThat(granted(store, "a", LeaseKind.ELECTION).token()).isEqualTo(before.token() + 1);
        assertThat(events).singleElement().isInstanceOf(TenureEvent.StoreWarning.class);
    }

    @Test
    void nothing_is_kept_of_locks_whose_retention_is_over() {
        MemoryServer server = new MemoryServer(time::nanos, TokenSource.STORE_CLOCK, Duration.ofSeconds(30));
        for (int i = 0; i < 1_000; i++) {
            server.acquire(request("lock-" + i, "alice", LeaseKind.LOCK), event -> {});
        }
        assertThat(server.names()).isEqualTo(1_000);
        time.advance(Duration.ofSeconds(31));

        for (int i = 0; i < 501; i++) {
            server.find("another");
        }

        assertThat(server.names()).isLessThanOrEqualTo(2);
    }

    @Test
    void nothing_is_kept_of_names_that_were_only_looked_for() {
        MemoryServer server = new MemoryServer(time::nanos, TokenSource.STORE_CLOCK, Duration.ofSeconds(30));
        for (int i = 0; i < 1_000; i++) {
            server.find("name-" + i);
        }

        assertThat(server.names()).isLessThanOrEqualTo(2);
    }

    @Test
    void law25_a_fenced_write_returns_what_it_made() {
        Claim held = granted(store, "a", LeaseKind.ELECTION);

        assertThat(store.fence("a").call(held.token(), () -> "written").length())
                .isEqualTo(7);
    }

    @Test
    void law25_nobody_is_granted_the_lease_while_a_fenced_write_runs() throws Exception {
        Claim held = granted(store, "a", LeaseKind.ELECTION);
        ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
        now(store.release(release(held)));

        Thread successor = new Thread(() -> {
            granted(store, "a", LeaseKind.ELECTION);
            order.add("granted");
        });
        store.fence("a").run(held.token(), () -> {
            successor.start();
            await().atMost(Duration.ofSeconds(20)).until(() -> successor.getState() == Thread.State.WAITING);
            order.add("written");
        });
        successor.join(20_000);

        assertThat(order).containsExactly("written", "granted");
    }

    @Test
    void law25_what_a_fenced_write_throws_is_thrown_on() {
        Claim held = granted(store, "a", LeaseKind.ELECTION);
        IllegalStateException failure = new IllegalStateException("full");

        assertThatThrownBy(() -> store.fence("a").run(held.token(), () -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void law25_a_refused_write_is_not_run() {
        Claim held = granted(store, "a", LeaseKind.ELECTION);
        List<String> writes = new ArrayList<>();

        assertThatThrownBy(() -> store.fence("a").run(held.token() + 1, () -> writes.add("forged")))
                .isInstanceOf(StaleTokenException.class);
        assertThat(writes).isEmpty();
    }

    @Test
    void law07_a_fenced_write_is_use() {
        MemoryLeaseStore keeping = MemoryLeaseStore.builder()
                .timeline(time)
                .retention(Duration.ofSeconds(30))
                .open();
        Claim held = granted(keeping, "a", LeaseKind.LOCK);
        for (int i = 0; i < 3; i++) {
            time.advance(Duration.ofSeconds(20));
            keeping.fence("a").run(held.token(), () -> {});
        }
        time.advance(Duration.ofSeconds(31));

        assertThatThrownBy(() -> keeping.fence("a").run(held.token(), () -> {}))
                .isInstanceOf(StaleTokenException.class);
    }

    @Test
    void law21_waiters_are_told_when_the_store_can_be_used_by_everybody_again() throws Exception {
        Claim held = granted(store, "a", LeaseKind.LOCK);
        List<Object> seen = new ArrayList<>();
        wait(
                store,
                "a",
                "bob",
                after -> seen.add(elsewhere(() -> now(store.find("a")).isPresent())));

        assertThat(now(store.release(release(held)))).isTrue();

        assertThat(seen).containsExactly(false);
    }

    @Test
    void law21_a_release_within_a_fenced_write_is_told_after_the_write() {
        Claim held = granted(store, "a", LeaseKind.LOCK);
        List<String> order = new ArrayList<>();
        wait(store, "a", "bob", after -> order.add("told"));

        store.fence("a").run(held.token(), () -> {
            now(store.release(release(held)));
            order.add("written");
        });

        assertThat(order).containsExactly("written", "told");
    }

    @Test
    void law21_a_listener_that_throws_fails_no_release_and_is_reported() {
        List<TenureEvent> events = new ArrayList<>();
        store.listen(events::add);
        Claim held = granted(store, "a", LeaseKind.LOCK);
        List<Duration> second = new ArrayList<>();
        wait(store, "a", "bob", after -> {
            throw new IllegalStateException("not now");
        });
        wait(store, "a", "carol", second::add);

        assertThat(now(store.release(release(held)))).isTrue();

        assertThat(second).containsExactly(Duration.ofMillis(50));
        assertThat(events).singleElement().asString().contains("'a'").contains("not now");
    }

    @Test
    void law21_a_waiter_that_is_registered_twice_leaves_the_line_with_its_last_registration() {
        Claim held = granted(store, "a", LeaseKind.LOCK);
        List<Duration> bob = new ArrayList<>();
        Wakeups.Registration first = wait(store, "a", "bob", bob::add);
        Wakeups.Registration second = wait(store, "a", "bob", bob::add);
        List<Duration> carol = new ArrayList<>();
        wait(store, "a", "carol", carol::add);

        first.close();
        now(store.release(release(held)));
        assertThat(bob).containsExactly(Duration.ZERO);
        assertThat(carol).containsExactly(Duration.ofMillis(50));

        second.close();
        assertThat(carol).containsExactly(Duration.ofMillis(50), Duration.ZERO);
    }

    @Test
    void law21_a_release_that_holds_the_name_tells_the_first_to_look_when_it_is_free() {
        Claim held = granted(store, "a", LeaseKind.LOCK);
        List<Duration> bob = new ArrayList<>();
        wait(store, "a", "bob", bob::add);

        now(store.release(new ReleaseRequest(held, Duration.ofSeconds(2), ReleaseMode.PLAIN)));

        assertThat(bob).containsExactly(Duration.ofSeconds(2));
    }

    @Test
    void a_closed_client_has_no_live_push_and_is_told_nothing() {
        Claim held = granted(store, "a", LeaseKind.LOCK);
        MemoryLeaseStore leaving = store.peer();
        List<Duration> told = new ArrayList<>();
        wait(leaving, "a", "bob", told::add);

        leaving.close();
        leaving.wakeups().await("a", "bob", told::add);
        now(store.release(release(held)));

        assertThat(leaving.wakeups().isLive()).isFalse();
        assertThat(told).isEmpty();
    }

    private <T> T elsewhere(Callable<T> step) {
        try {
            return threads.submit(step).get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the store is not free to others", e);
        }
    }

    private static Wakeups.Registration wait(LeaseStore client, String name, String waiter, Wakeups.Listener listener) {
        Wakeups.Registration registration = client.wakeups().await(name, waiter, listener);
        Claim claim = new Claim(name, waiter, waiter, 1, 0);
        now(client.acquire(new LeaseRequest(claim, LeaseKind.LOCK, TTL, 0, Takeover.NONE, TTL)));
        return registration;
    }

    private static Claim granted(LeaseStore client, String name, LeaseKind kind) {
        LeaseRequest request = request(name, "alice", kind);
        return request.claim().withToken(((Acquisition.Granted) now(client.acquire(request))).token());
    }

    private static LeaseRequest request(String name, String holder, LeaseKind kind) {
        return new LeaseRequest(new Claim(name, holder, "inc", 1, 0), kind, TTL, 0, Takeover.NONE, Duration.ZERO);
    }

    private static ReleaseRequest release(Claim claim) {
        return new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN);
    }

    private static <T> T now(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        return stage.toCompletableFuture().join();
    }
}
