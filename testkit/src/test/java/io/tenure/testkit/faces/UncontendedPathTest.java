package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseRecord;
import io.tenure.Tenure;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where the steps of an uncontended acquire and release run, by the names of threads. */
class UncontendedPathTest {
    /** One permit for each answer, given once the caller is back from asking. */
    private final Semaphore answers = new Semaphore(0);

    private final ExecutorService io = Executors.newSingleThreadExecutor(task -> new Thread(task, "store-io"));

    @AfterEach
    void endTheThreadOfTheStore() {
        io.shutdown();
    }

    @Test
    void requests_leave_on_the_callers_thread_and_answers_are_handled_on_the_stores() throws Exception {
        List<String> senders = new CopyOnWriteArrayList<>();
        List<String> handlers = new CopyOnWriteArrayList<>();
        Tenure tenure = Tenure.over(new AnsweringElsewhere(senders))
                .callbacks(task -> {
                    handlers.add(Thread.currentThread().getName());
                    task.run();
                })
                .open();
        String caller = Thread.currentThread().getName();

        CompletableFuture<Optional<HeldLock>> granted =
                tenure.lock("n").tryAcquireAsync(Duration.ofSeconds(30)).toCompletableFuture();
        answers.release();
        HeldLock held = granted.get(30, TimeUnit.SECONDS).orElseThrow();
        CompletableFuture<EndReason> ended = held.ended().toCompletableFuture();
        CompletableFuture<Void> released = held.releaseAsync().toCompletableFuture();
        answers.release();
        released.get(30, TimeUnit.SECONDS);

        assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(EndReason.RELEASED);
        assertThat(senders).containsExactly(caller, caller);
        // the end is decided where the release is asked for; both answers are handled where they arrive
        assertThat(handlers).containsExactly("store-io", caller, "store-io");
        tenure.close();
    }

    /** A store whose answers arrive on a thread of its own, as those of a network client do. */
    private final class AnsweringElsewhere implements LeaseStore {
        private final MemoryLeaseStore store = MemoryLeaseStore.create();
        private final List<String> senders;

        AnsweringElsewhere(List<String> senders) {
            this.senders = senders;
        }

        private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> verb) {
            senders.add(Thread.currentThread().getName());
            return CompletableFuture.supplyAsync(
                    () -> {
                        answers.acquireUninterruptibly();
                        return verb.get().toCompletableFuture().join();
                    },
                    io);
        }

        @Override
        public CompletionStage<Acquisition> acquire(LeaseRequest request) {
            return later(() -> store.acquire(request));
        }

        @Override
        public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
            return store.renew(requests);
        }

        @Override
        public CompletionStage<Boolean> release(ReleaseRequest request) {
            return later(() -> store.release(request));
        }

        @Override
        public CompletionStage<Optional<LeaseRecord>> find(String name) {
            return store.find(name);
        }

        @Override
        public CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
            return store.list(prefix, limit);
        }

        @Override
        public CompletionStage<Boolean> evict(LeaseRecord seen) {
            return store.evict(seen);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
