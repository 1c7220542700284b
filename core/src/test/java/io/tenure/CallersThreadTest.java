package io.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.Acquisition;
import io.tenure.spi.BlockingLeaseStore;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Locks over a store that does calls on the threads of callers who wait for them. */
class CallersThreadTest {
    private final ManualTimeline time = new ManualTimeline();
    private final Blocking store = new Blocking(MemoryLeaseStore.on(time));
    private final Tenure tenure = Tenure.over(store).timeline(time).open();
    private final LeaseLock lock = tenure.lock("served");
    private final Thread me = Thread.currentThread();

    @AfterEach
    void close() {
        store.gate.countDown();
        tenure.close();
    }

    @Test
    void one_attempt_and_the_release_are_done_on_the_thread_that_waits_for_them() {
        HeldLock held = lock.tryAcquire().orElseThrow();
        held.release();
        lock.run(inside -> {});
        lock.tryAcquire().orElseThrow().close();

        assertThat(store.ranOn).hasSize(6).containsOnly(me);
    }

    @Test
    void law15_a_body_that_fails_is_released_on_that_thread_as_well() {
        assertThatThrownBy(() -> lock.run(inside -> {
                    throw new IllegalStateException("the body");
                }))
                .hasMessage("the body");

        assertThat(store.ranOn).hasSize(2).containsOnly(me);
        assertThat(lock.tryAcquire()).isPresent();
    }

    /** They have a budget, or nobody waits for them. */
    @Test
    void everything_else_is_done_on_threads_of_the_store() throws Exception {
        HeldLock waited = lock.tryAcquire(Duration.ofSeconds(1)).orElseThrow();
        waited.releaseAsync().toCompletableFuture().get(30, TimeUnit.SECONDS);
        HeldLock asked = lock.tryAcquireAsync(Duration.ZERO)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS)
                .orElseThrow();
        asked.refresh();
        asked.releaseAsync().toCompletableFuture().get(30, TimeUnit.SECONDS);

        assertThat(store.ranOn).hasSize(5).doesNotContain(me);
    }

    /** Whoever asks is late then, but nothing else is. */
    @Test
    void law10_an_attempt_is_given_up_in_time_although_its_thread_is_still_in_the_store() throws Exception {
        store.hold();
        CompletableFuture<Throwable> answer = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                answer.complete(new AssertionError("acquired " + lock.tryAcquire()));
            } catch (StoreException e) {
                answer.complete(e);
            }
        });
        caller.start();
        assertThat(store.entered.await(30, TimeUnit.SECONDS)).isTrue();

        time.advance(Duration.ofSeconds(1)); // not so far that the release is given up before a thread has it

        await(() -> store.ranOn.size() == 2); // what might be granted yet is given back, on a thread of the store
        assertThat(store.ranOn.get(0)).isSameAs(caller);
        assertThat(store.ranOn.get(1)).isNotSameAs(caller);
        assertThat(answer).isNotDone();
        store.gate.countDown();
        assertThat(answer.get(30, TimeUnit.SECONDS)).isInstanceOf(StoreException.class);
    }

    @Test
    void a_call_is_done_there_if_it_is_taken_and_can_be_done_there() throws Exception {
        List<Runnable> given = new ArrayList<>();
        Callable<Thread> call = Thread::currentThread;
        Callable<Thread> notHere = () -> {
            if (Thread.currentThread() == me) {
                throw new RejectedExecutionException("not on this thread");
            }
            return Thread.currentThread();
        };
        Executor gone = task -> {
            throw new RejectedExecutionException("it waits already");
        };

        CompletionStage<Thread> here = store.submitted("a", call, given::add);
        CompletionStage<Thread> elsewhere = store.submitted("b", notHere, given::add);
        assertThat(here.toCompletableFuture()).isNotDone();
        given.forEach(Runnable::run);

        assertThat(Blocking.answer(here)).isSameAs(me);
        assertThat(Blocking.answer(elsewhere)).isNotSameAs(me);
        assertThat(Blocking.answer(store.submitted("c", call, gone))).isNotSameAs(me);
        store.close();
        assertThatThrownBy(() -> Blocking.answer(store.submitted("d", call, given::add)))
                .hasRootCauseInstanceOf(StoreException.class)
                .hasMessageContaining("'d'");
    }

    private static void await(BooleanSupplier condition) {
        long since = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - since).isLessThan(TimeUnit.SECONDS.toNanos(30));
            Thread.onSpinWait();
        }
    }

    /** Asks another store, on whatever thread it is called. */
    private static final class Blocking extends BlockingLeaseStore {
        private final LeaseStore asked;
        final List<Thread> ranOn = new CopyOnWriteArrayList<>();
        final CountDownLatch entered = new CountDownLatch(1);
        volatile CountDownLatch gate = new CountDownLatch(0);

        Blocking(LeaseStore asked) {
            super(Thread::new, 2, 10);
            this.asked = asked;
        }

        <T> CompletionStage<T> submitted(String name, Callable<T> call, Executor waiting) {
            return submit(name, call, waiting);
        }

        /** The next attempt stays inside until the gate is opened. */
        void hold() {
            gate = new CountDownLatch(1);
        }

        @Override
        public CompletionStage<Acquisition> acquire(LeaseRequest request, Executor waiting) {
            return submit("acquire", () -> acquireNow(request), waiting);
        }

        @Override
        public CompletionStage<Boolean> release(ReleaseRequest request, Executor waiting) {
            return submit("release", () -> releaseNow(request), waiting);
        }

        @Override
        protected Acquisition acquireNow(LeaseRequest request) throws Exception {
            ranOn.add(Thread.currentThread());
            entered.countDown();
            gate.await();
            return answer(asked.acquire(request));
        }

        @Override
        protected Renewal renewNow(RenewRequest request) throws Exception {
            ranOn.add(Thread.currentThread());
            return answer(asked.renew(List.of(request)).get(0));
        }

        @Override
        protected boolean releaseNow(ReleaseRequest request) throws Exception {
            ranOn.add(Thread.currentThread());
            return answer(asked.release(request));
        }

        @Override
        protected Optional<LeaseRecord> findNow(String name) throws Exception {
            return answer(asked.find(name));
        }

        @Override
        protected List<LeaseRecord> listNow(String prefix, int limit) throws Exception {
            return answer(asked.list(prefix, limit));
        }

        @Override
        protected boolean evictNow(LeaseRecord seen) throws Exception {
            return answer(asked.evict(seen));
        }

        @Override
        protected StoreException translate(String name, Exception cause) {
            return StoreException.passing(name, cause);
        }

        private static <T> T answer(CompletionStage<T> stage) throws Exception {
            return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }
}
