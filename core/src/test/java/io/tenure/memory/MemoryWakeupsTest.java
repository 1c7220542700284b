package io.tenure.memory;

import static io.tenure.memory.Requests.granted;
import static io.tenure.memory.Requests.inLine;
import static io.tenure.memory.Requests.now;
import static io.tenure.memory.Requests.release;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.TenureEvent;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When and how waiters of the memory store are told: law 21. */
class MemoryWakeupsTest {
    private final ManualTimeline time = new ManualTimeline();
    private final MemoryLeaseStore store = MemoryLeaseStore.on(time);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endTheThreads() {
        threads.shutdownNow();
    }

    @Test
    void law21_waiters_are_told_when_the_store_can_be_used_by_everybody_again() throws Exception {
        Claim held = granted(store, "a", LeaseKind.LOCK);
        List<Object> seen = new ArrayList<>();
        inLine(
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
        inLine(store, "a", "bob", after -> order.add("told"));

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
        inLine(store, "a", "bob", after -> {
            throw new IllegalStateException("not now");
        });
        inLine(store, "a", "carol", second::add);

        assertThat(now(store.release(release(held)))).isTrue();

        assertThat(second).containsExactly(Duration.ofMillis(50));
        assertThat(events).singleElement().asString().contains("'a'").contains("not now");
    }

    @Test
    void law21_a_waiter_that_is_registered_twice_leaves_the_line_with_its_last_registration() {
        Claim held = granted(store, "a", LeaseKind.LOCK);
        List<Duration> bob = new ArrayList<>();
        Wakeups.Registration first = inLine(store, "a", "bob", bob::add);
        Wakeups.Registration second = inLine(store, "a", "bob", bob::add);
        List<Duration> carol = new ArrayList<>();
        inLine(store, "a", "carol", carol::add);

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
        inLine(store, "a", "bob", bob::add);

        now(store.release(new ReleaseRequest(held, Duration.ofSeconds(2), ReleaseMode.PLAIN)));

        assertThat(bob).containsExactly(Duration.ofSeconds(2));
    }

    @Test
    void a_closed_client_has_no_live_push_and_is_told_nothing() {
        Claim held = granted(store, "a", LeaseKind.LOCK);
        MemoryLeaseStore leaving = store.peer();
        List<Duration> told = new ArrayList<>();
        inLine(leaving, "a", "bob", told::add);

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
}
