package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.TenureEvent;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Law 22: who in one process waits for one name. */
class LocalLinesTest {
    private static final LockOptions LONG =
            LockOptions.ofTtl(Duration.ofSeconds(60)).build();

    private final ManualTimeline timeline = new ManualTimeline();
    private final MemoryLeaseStore memory = MemoryLeaseStore.on(timeline);
    private final RecordingStore store = new RecordingStore(memory);
    private final List<TenureEvent> events = new ArrayList<>();
    private final Kernel kernel = kernel(store, "here");
    private final Kernel elsewhere = kernel(memory.peer(), "there");
    private final NamedLock lock = new NamedLock(kernel, "n", LONG);
    private final HeldLock taken =
            new NamedLock(elsewhere, "n", LONG).tryAcquire().orElseThrow();

    private Kernel kernel(io.tenure.spi.LeaseStore over, String holder) {
        return new Kernel(
                over,
                timeline,
                new Kernel.Identity(holder, holder + "incarnation"),
                new WorkThreads(Thread::new),
                new Callbacks(Runnable::run, timeline.background("callbacks"), () -> {}),
                List.of(events::add));
    }

    @AfterEach
    void close() {
        kernel.closeAndWait();
        elsewhere.closeAndWait();
        assertThat(kernel.size()).isZero();
        assertThat(kernel.waitedFor()).isZero();
    }

    private CompletableFuture<Optional<HeldLock>> wait(int seconds) {
        return lock.tryAcquireAsync(Duration.ofSeconds(seconds)).toCompletableFuture();
    }

    @Test
    void law22_only_the_first_local_waiter_talks_to_the_store() {
        wait(30);
        wait(30);
        wait(30);

        assertThat(store.acquires).hasSize(1);
        timeline.advance(Duration.ofSeconds(5));
        assertThat(store.acquires)
                .allSatisfy(sent -> assertThat(sent.claim().holder())
                        .isEqualTo(store.acquires.get(0).claim().holder()));
    }

    @Test
    void law22_local_waiters_are_served_in_order_each_at_once_when_its_turn_comes() {
        List<CompletableFuture<Optional<HeldLock>>> waiters = List.of(wait(30), wait(30), wait(30));

        taken.release();
        for (int i = 0; i < 3; i++) {
            timeline.advance(Duration.ofMillis(20));
            assertThat(waiters.get(i)).isCompleted();
            for (int behind = i + 1; behind < 3; behind++) {
                assertThat(waiters.get(behind)).isNotDone();
            }
            waiters.get(i).join().orElseThrow().release();
        }
        assertThat(timeline.nanos()).isLessThan(Duration.ofMillis(500).toNanos());
    }

    @Test
    void law22_each_has_its_own_budget() {
        CompletableFuture<Optional<HeldLock>> first = wait(30);
        CompletableFuture<Optional<HeldLock>> second = wait(1);
        CompletableFuture<Optional<HeldLock>> third = wait(30);

        timeline.advance(Duration.ofMillis(999));
        assertThat(second).isNotDone();
        timeline.advance(Duration.ofMillis(1));

        assertThat(second).isCompletedWithValue(Optional.empty());
        assertThat(first).isNotDone();
        assertThat(third).isNotDone();
    }

    @Test
    void law22_a_thousand_waiters_whose_budgets_end_together_all_hear_of_it() {
        CompletableFuture<Optional<HeldLock>> first = wait(30);
        timeline.schedule(Duration.ofSeconds(1).toNanos(), 0, () -> first.cancel(true));
        List<CompletableFuture<Optional<HeldLock>>> waiters = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            waiters.add(wait(1));
        }
        CompletableFuture<Optional<HeldLock>> last = wait(30);

        AtomicInteger deepest = new AtomicInteger();
        waiters.forEach(waiter -> waiter.whenComplete(
                (held, failure) -> deepest.accumulateAndGet(new Throwable().getStackTrace().length, Math::max)));

        timeline.advance(Duration.ofSeconds(1));

        assertThat(deepest)
                .as("frames on the stack: no turn is given from within another")
                .hasValueLessThan(200);
        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter).isCompletedWithValue(Optional.empty()));
        taken.release();
        timeline.advance(Duration.ofMillis(20));
        assertThat(last).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void law22_when_the_first_leaves_the_next_asks_at_once() {
        wait(1);
        wait(30);
        timeline.advance(Duration.ofMillis(999));
        int before = store.acquires.size();

        timeline.advance(Duration.ofMillis(1));

        assertThat(store.acquires).hasSize(before + 1);
        assertThat(store.acquires.get(before).claim().holder())
                .isNotEqualTo(store.acquires.get(before - 1).claim().holder());
    }

    @Test
    void law22_cancelling_the_first_lets_the_next_ask_at_once_and_leaves_nothing_behind() {
        CompletableFuture<Optional<HeldLock>> first = wait(30);
        CompletableFuture<Optional<HeldLock>> second = wait(30);

        first.cancel(true);
        assertThat(store.acquires).hasSize(2);
        taken.release();
        timeline.advance(Duration.ofMillis(20));

        assertThat(second.join()).isPresent();
        assertThat(kernel.size()).isEqualTo(1);
    }

    @Test
    void law22_a_single_attempt_behind_local_waiters_is_empty_at_once_without_asking_the_store() {
        wait(30);
        int before = store.acquires.size();

        assertThat(lock.tryAcquire()).isEmpty();

        assertThat(store.acquires).hasSize(before);
    }

    @Test
    void law22_nothing_is_kept_for_a_name_that_is_neither_held_nor_waited_for() {
        List<CompletableFuture<Optional<HeldLock>>> waiters = List.of(wait(1), wait(2), wait(30));
        assertThat(kernel.waitedFor()).isEqualTo(1);
        assertThat(kernel.size()).isEqualTo(3);

        timeline.advance(Duration.ofSeconds(2));
        taken.release();
        timeline.advance(Duration.ofMillis(20));
        assertThat(kernel.waitedFor()).isZero();
        waiters.get(2).join().orElseThrow().release();

        assertThat(kernel.size()).isZero();
        assertThat(timeline.pending()).as("timers").isZero();
    }

    @Test
    void law22_names_do_not_wait_for_each_other() {
        wait(30);

        assertThat(new NamedLock(kernel, "other", LONG).tryAcquire()).isPresent();
    }

    @Test
    void law19_closing_ends_all_local_waiters_without_giving_anybody_a_turn() {
        List<CompletableFuture<Optional<HeldLock>>> waiters = new ArrayList<>();
        for (int i = 0;
                i < 20;
                i++) { // ended in no particular order: with so many, some first one ends before its next
            waiters.add(wait(30));
        }
        int before = store.acquires.size();

        kernel.closeAndWait();

        assertThat(waiters).allSatisfy(each -> assertThat(each).isCompletedExceptionally());
        assertThat(store.acquires).hasSize(before);
        assertThat(events).noneMatch(TenureEvent.AttemptFailed.class::isInstance);
    }
}
