package io.tenure.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingLeaseStoreTest {
    private static final Renewal RENEWED = new Renewal.Renewed(OptionalLong.empty());

    private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final SlowStore store = new SlowStore(1, 2);

    @AfterEach
    void letEverythingEnd() {
        store.gate.release(1_000_000);
        store.close();
    }

    @Test
    void a_verb_runs_on_a_thread_of_the_store_and_its_caller_does_not_wait() throws Exception {
        CompletionStage<Optional<LeaseRecord>> answer = store.find("a");

        assertThat(answer.toCompletableFuture()).isNotDone();
        store.gate.release();
        assertThat(get(answer)).isEmpty();
        assertThat(store.ranOn).containsExactlyElementsOf(threads).doesNotContain(Thread.currentThread());
    }

    @Test
    void every_verb_is_answered_by_its_blocking_twin() throws Exception {
        store.gate.release(100);

        assertThat(get(store.acquire(new LeaseRequest(
                        claim("a"), LeaseKind.LOCK, Duration.ofSeconds(1), 0, Takeover.NONE, Duration.ZERO))))
                .isEqualTo(new Acquisition.Granted(7, OptionalLong.empty()));
        assertThat(get(store.release(new ReleaseRequest(claim("a"), Duration.ZERO, ReleaseMode.PLAIN))))
                .isTrue();
        assertThat(get(store.find("a"))).isEmpty();
        assertThat(get(store.list("a", 3))).isEmpty();
        assertThat(get(store.evict(LeaseRecord.of("a", "h", "i", 1, 1, Duration.ZERO))))
                .isFalse();
        assertThat(get(store.renew(List.of(renewal("a"))).get(0))).isEqualTo(RENEWED);
        assertThat(store.done).containsExactly("acquire a", "release a", "find a", "list a", "evict a", "renew a");
    }

    @Test
    void a_call_that_finds_the_queue_full_fails_at_once_and_names_the_lease() throws Exception {
        occupy();
        store.find("queued-1");
        store.find("queued-2");

        CompletionStage<Optional<LeaseRecord>> refused = store.find("one-too-many");

        assertThat(refused.toCompletableFuture()).isCompletedExceptionally();
        assertFailure(() -> get(refused), true).hasMessageContaining("one-too-many");
    }

    @Test
    void a_batch_that_finds_the_queue_full_fails_each_of_its_claims() throws Exception {
        occupy();
        store.find("queued-1");
        store.find("queued-2");

        List<CompletionStage<Renewal>> refused = store.renew(List.of(renewal("x"), renewal("y")));

        assertFailure(() -> get(refused.get(0)), true).hasMessageContaining("'x'");
        assertFailure(() -> get(refused.get(1)), true).hasMessageContaining("'y'");
    }

    @Test
    void a_cancelled_call_that_still_waits_is_never_done() throws Exception {
        occupy();
        CompletionStage<Optional<LeaseRecord>> abandoned = store.find("abandoned");
        CompletionStage<Optional<LeaseRecord>> behind = store.find("behind");

        abandoned.toCompletableFuture().cancel(true);
        store.gate.release(100);

        get(behind);
        assertThat(store.done).containsExactly("find busy", "find behind");
    }

    @Test
    void a_cancelled_call_leaves_its_place_in_the_queue_to_another() throws Exception {
        occupy();
        store.find("queued");
        store.find("abandoned").toCompletableFuture().cancel(true);

        CompletionStage<Optional<LeaseRecord>> next = store.find("next");

        assertThat(next.toCompletableFuture()).isNotDone();
    }

    @Test
    void a_cancelled_claim_is_left_out_of_its_batch() throws Exception {
        occupy();
        List<CompletionStage<Renewal>> batch = store.renew(List.of(renewal("x"), renewal("y"), renewal("z")));

        batch.get(1).toCompletableFuture().cancel(true);
        store.gate.release(100);

        assertThat(get(batch.get(0))).isEqualTo(RENEWED);
        assertThat(get(batch.get(2))).isEqualTo(RENEWED);
        assertThat(store.done).containsExactly("find busy", "renew x", "renew z");
    }

    @Test
    void a_running_call_is_not_interrupted_by_its_cancellation() throws Exception {
        CompletionStage<Optional<LeaseRecord>> running = occupy();

        running.toCompletableFuture().cancel(true);
        store.gate.release(2);

        get(store.find("next"));
        assertThat(store.done).containsExactly("find busy", "find next");
    }

    @Test
    void an_exception_of_the_client_is_translated_with_the_name_of_the_lease() {
        store.gate.release(100);

        assertFailure(() -> get(store.find("broken")), true)
                .hasMessage("cannot reach the server for broken")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void a_store_exception_of_a_verb_is_passed_on_as_it_is() {
        store.gate.release(100);

        assertFailure(() -> get(store.find("forbidden")), false)
                .hasMessage("no permission")
                .hasNoCause();
    }

    @Test
    void an_exception_that_cannot_be_translated_still_ends_as_a_store_exception() {
        store.gate.release(100);

        assertFailure(() -> get(store.find("riddle")), true).hasMessageContaining("riddle");
    }

    @Test
    void each_claim_of_a_batch_has_a_fate_of_its_own() throws Exception {
        store.gate.release(100);

        List<CompletionStage<Renewal>> batch =
                store.renew(List.of(renewal("x"), renewal("broken"), renewal("lost"), renewal("error"), renewal("y")));

        assertThat(get(batch.get(0))).isEqualTo(RENEWED);
        assertFailure(() -> get(batch.get(1)), true).hasMessageContaining("broken");
        assertThat(get(batch.get(2))).isEqualTo(new Renewal.Lost(Optional.empty()));
        assertFailure(() -> get(batch.get(3)), false)
                .hasMessageContaining("error")
                .hasCauseInstanceOf(Error.class);
        assertThat(get(batch.get(4))).isEqualTo(RENEWED);
    }

    @Test
    void a_large_batch_is_answered_in_the_order_of_its_claims() throws Exception {
        store.gate.release(1_000);
        List<RenewRequest> requests = IntStream.range(0, 150)
                .mapToObj(i -> renewal(i % 2 == 0 ? "n" + i : "lost"))
                .toList();

        List<CompletionStage<Renewal>> answers = store.renew(requests);

        assertThat(answers).hasSize(150);
        for (int i = 0; i < 150; i++) {
            assertThat(get(answers.get(i))).isEqualTo(i % 2 == 0 ? RENEWED : new Renewal.Lost(Optional.empty()));
        }
    }

    @Test
    void closing_fails_what_waits_lets_what_runs_end_and_leaves_no_thread() throws Exception {
        CompletionStage<Optional<LeaseRecord>> running = occupy();
        CompletionStage<Optional<LeaseRecord>> waiting = store.find("waiting");

        store.close();
        store.close();

        assertFailure(() -> get(waiting), false).hasMessageContaining("waiting").hasMessageContaining("closed");
        assertFailure(() -> get(store.find("late")), false)
                .hasMessageContaining("late")
                .hasMessageContaining("closed");
        assertThat(running.toCompletableFuture()).isNotDone();
        store.gate.release();
        assertThat(get(running)).isEmpty();
        for (Thread thread : threads) {
            thread.join(10_000);
            assertThat(thread.isAlive()).isFalse();
        }
    }

    @Test
    void a_store_without_threads_or_queue_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlowStore(0, 1))
                .withMessageContaining("maxThreads");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlowStore(1, 0))
                .withMessageContaining("maxQueued");
    }

    /** Makes the only thread busy, until the gate lets one through. */
    private CompletionStage<Optional<LeaseRecord>> occupy() throws InterruptedException {
        CompletionStage<Optional<LeaseRecord>> busy = store.find("busy");
        assertThat(store.started.await(10, TimeUnit.SECONDS)).isTrue();
        return busy;
    }

    private static Claim claim(String name) {
        return new Claim(name, "holder", "inc", 1, 7);
    }

    private static RenewRequest renewal(String name) {
        return new RenewRequest(claim(name), LeaseKind.LOCK, Duration.ofSeconds(1));
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertFailure(
            ThrowingCallable call, boolean isTransient) {
        return assertThatThrownBy(call)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .satisfies(cause -> assertThat(cause)
                        .asInstanceOf(type(StoreException.class))
                        .returns(isTransient, StoreException::isTransient));
    }

    /** Does each call once it was let through the gate; some names have a fate. */
    private final class SlowStore extends BlockingLeaseStore {
        private final Semaphore gate = new Semaphore(0);
        private final CountDownLatch started = new CountDownLatch(1);
        private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<Thread> ranOn = new ConcurrentLinkedQueue<>();

        private SlowStore(int maxThreads, int maxQueued) {
            super(
                    task -> {
                        Thread thread = new Thread(task, "slow-store");
                        threads.add(thread);
                        return thread;
                    },
                    maxThreads,
                    maxQueued);
        }

        private void pass(String verb, String name) throws Exception {
            started.countDown();
            ranOn.add(Thread.currentThread());
            gate.acquire();
            switch (name) {
                case "broken" -> throw new IOException("connection reset");
                case "forbidden" -> throw StoreException.permanent("no permission");
                case "riddle" -> throw new IllegalStateException("riddle");
                case "error" -> throw new AssertionError("an error");
                default -> done.add(verb + " " + name);
            }
        }

        @Override
        protected Acquisition acquireNow(LeaseRequest request) throws Exception {
            pass("acquire", request.claim().name());
            return new Acquisition.Granted(7, OptionalLong.empty());
        }

        @Override
        protected Renewal renewNow(RenewRequest request) throws Exception {
            pass("renew", request.claim().name());
            return request.claim().name().equals("lost") ? new Renewal.Lost(Optional.empty()) : RENEWED;
        }

        @Override
        protected boolean releaseNow(ReleaseRequest request) throws Exception {
            pass("release", request.claim().name());
            return true;
        }

        @Override
        protected Optional<LeaseRecord> findNow(String name) throws Exception {
            pass("find", name);
            return Optional.empty();
        }

        @Override
        protected List<LeaseRecord> listNow(String prefix, int limit) throws Exception {
            pass("list", prefix);
            return List.of();
        }

        @Override
        protected boolean evictNow(LeaseRecord seen) throws Exception {
            pass("evict", seen.name());
            return false;
        }

        @Override
        protected StoreException translate(String name, Exception cause) {
            if (cause instanceof IllegalStateException) {
                throw new UnsupportedOperationException("what is this?");
            }
            return StoreException.passing("cannot reach the server for " + name, cause);
        }
    }
}
