package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.HeldLock;
import io.tenure.LeaseRecord;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RenewalBatchTest {
    private static final Renewal RENEWED = new Renewal.Renewed(OptionalLong.empty());

    private final ManualTimeline timeline = new ManualTimeline();
    private final RenewingStore store = new RenewingStore();
    private final RenewalBatch batch = new RenewalBatch(store, timeline);
    private final Map<String, Object> answers = new LinkedHashMap<>();

    private Call add(String name) {
        Call call = new Call(1);
        RenewRequest request = new RenewRequest(new Claim(name, "h", "i", 1, 1), LeaseKind.LOCK, Duration.ofSeconds(1));
        batch.add(call, request, (renewal, failure) -> answers.put(name, renewal == null ? failure : renewal));
        return call;
    }

    @Test
    void what_falls_due_together_goes_out_as_one_batch_and_each_gets_its_own_answer() {
        add("a");
        add("b");
        add("c");
        assertThat(store.batches).as("not on the thread of whoever asks").isEmpty();

        timeline.settle();

        assertThat(store.batches).containsExactly(List.of("a", "b", "c"));
        assertThat(answers).isEmpty();
        StoreException failure = StoreException.passing("one of them");
        store.sent.get("b").completeExceptionally(failure);
        store.sent.get("c").complete(new Renewal.Lost(Optional.empty()));
        store.sent.get("a").complete(RENEWED);
        assertThat(answers)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("a", RENEWED, "b", failure, "c", new Renewal.Lost(Optional.empty())));
    }

    @Test
    void what_comes_after_a_batch_goes_out_with_the_next() {
        add("a");
        timeline.settle();
        add("b");
        timeline.settle();
        timeline.settle();

        assertThat(store.batches).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void law18_a_call_that_was_dropped_before_it_was_sent_is_not_sent() {
        add("a");
        Call dropped = add("b");

        assertThat(dropped.abandon()).as("its end is known").isTrue();
        timeline.settle();

        assertThat(store.batches).containsExactly(List.of("a"));
        assertThat(answers).doesNotContainKey("b");
    }

    @Test
    void nothing_is_sent_when_everything_was_dropped() {
        add("a").abandon();

        timeline.settle();

        assertThat(store.batches).isEmpty();
    }

    @Test
    void a_call_that_is_abandoned_after_it_was_sent_is_cancelled_and_its_end_is_told() {
        Call call = add("a");
        timeline.settle();

        assertThat(call.abandon()).as("its end will be told").isFalse();

        assertThat(store.sent.get("a")).isCancelled();
        assertThat(answers).containsOnlyKeys("a");
        assertThat(call.isAbandoned()).isTrue();
    }

    @Test
    void a_store_that_throws_fails_each_claim_and_the_next_batch_goes_out_all_the_same() {
        store.failure = new IllegalArgumentException("not a stage");
        add("a");
        add("b");
        timeline.settle();
        assertThat(answers).containsExactly(Map.entry("a", store.failure), Map.entry("b", store.failure));

        store.failure = null;
        add("c");
        timeline.settle();

        assertThat(store.batches).containsExactly(List.of("c"));
    }

    @Test
    void law18_whoever_is_about_to_release_waits_for_the_batch_that_is_just_being_sent() throws InterruptedException {
        store.gate = new CountDownLatch(1);
        add("a");
        Thread sender = new Thread(timeline::settle);
        sender.start();
        store.inside.await();
        Thread releaser = new Thread(batch::awaitSending);
        releaser.start();

        await().atMost(Duration.ofSeconds(30)).until(() -> releaser.getState() == Thread.State.WAITING);
        store.gate.countDown();
        releaser.join(30_000);

        assertThat(releaser.isAlive()).isFalse();
        sender.join();
    }

    @Test
    void leases_of_one_tenure_that_were_acquired_together_are_renewed_by_one_command() {
        ManualTimeline clock = new ManualTimeline();
        RecordingStore recording = new RecordingStore(MemoryLeaseStore.on(clock));
        Tenure tenure = Tenure.over(recording).timeline(clock).open();
        LockOptions renewed = LockOptions.ofTtl(Duration.ofSeconds(3)).renewed().build();
        List<HeldLock> held = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            held.add(tenure.lock("lock-" + i, renewed).tryAcquire().orElseThrow());
            clock.advance(Duration.ofNanos(100_000)); // within the slack of a renewal: they stay together
        }

        clock.advance(Duration.ofSeconds(6));

        assertThat(recording.batches)
                .hasSizeBetween(5, 7)
                .allSatisfy(sent -> assertThat(sent).hasSize(50));
        assertThat(held).allMatch(HeldLock::isHeld);
        tenure.close();
    }

    /** Answers renewals by hand; has no other verb. */
    private static final class RenewingStore implements LeaseStore {
        private final List<List<String>> batches = new ArrayList<>();
        private final Map<String, CompletableFuture<Renewal>> sent = new LinkedHashMap<>();
        private final CountDownLatch inside = new CountDownLatch(1);
        private volatile RuntimeException failure;
        private volatile CountDownLatch gate;

        @Override
        public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
            inside.countDown();
            if (failure != null) {
                throw failure;
            }
            if (gate != null) {
                try {
                    assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            batches.add(requests.stream().map(request -> request.claim().name()).toList());
            List<CompletionStage<Renewal>> stages = new ArrayList<>();
            for (RenewRequest request : requests) {
                CompletableFuture<Renewal> stage = new CompletableFuture<>();
                sent.put(request.claim().name(), stage);
                stages.add(stage);
            }
            return stages;
        }

        @Override
        public CompletionStage<Acquisition> acquire(LeaseRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Boolean> release(ReleaseRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Optional<LeaseRecord>> find(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Boolean> evict(LeaseRecord seen) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
