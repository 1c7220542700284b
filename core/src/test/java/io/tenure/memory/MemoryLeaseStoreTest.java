package io.tenure.memory;

import static io.tenure.memory.Requests.TTL;
import static io.tenure.memory.Requests.granted;
import static io.tenure.memory.Requests.now;
import static io.tenure.memory.Requests.release;
import static io.tenure.memory.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the memory store promises beyond the laws of all stores, which the test kit proves. */
class MemoryLeaseStoreTest {
    private final ManualTimeline time = new ManualTimeline();
    private final MemoryLeaseStore store = MemoryLeaseStore.on(time);

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
    void law01_a_lease_is_free_from_the_nanosecond_of_its_expiry_on() {
        Claim first = granted(store, "a", LeaseKind.ELECTION);
        time.advance(TTL.minusNanos(1));
        assertThat(now(store.find("a"))).isPresent();

        time.advance(Duration.ofNanos(1));

        assertThat(granted(store, "a", LeaseKind.ELECTION).token()).isGreaterThan(first.token());
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
}
