package io.tenure.memory;

import static io.tenure.memory.Requests.granted;
import static io.tenure.memory.Requests.now;
import static io.tenure.memory.Requests.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.StaleTokenException;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What a fenced write does in memory beyond the laws of all fences: laws 7 and 25. */
class MemoryFenceTest {
    private final ManualTimeline time = new ManualTimeline();
    private final MemoryLeaseStore store = MemoryLeaseStore.on(time);

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
}
