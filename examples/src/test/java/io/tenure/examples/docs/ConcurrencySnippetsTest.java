package io.tenure.examples.docs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.Tenure;
import io.tenure.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The code of docs/concurrency.md. */
class ConcurrencySnippetsTest {
    private final CountDownLatch copying = new CountDownLatch(1);
    private final CountDownLatch copied = new CountDownLatch(1);
    private final CompletableFuture<String> outcome = new CompletableFuture<>();

    @Test
    void work_that_is_only_signalled_is_not_interrupted() throws Exception {
        try (Tenure tenure = Tenure.inMemory()) {
            // tag::signal-only
            ElectorOptions options =
                    ElectorOptions.ofTtl(Duration.ofSeconds(20)).signalOnly().build();
            Elector elector = tenure.elector("copier", options);
            Candidacy candidacy = elector.campaign(term -> {
                while (term.isHeld()) {
                    copyOneFile(); // is not interrupted, so it has to be short beside drainTimeout
                }
            });
            // end::signal-only
            assertThat(copying.await(20, SECONDS)).isTrue();

            Thread closer = new Thread(candidacy::close);
            closer.start();
            await().atMost(10, SECONDS).until(() -> !elector.isLeader());
            copied.countDown();
            closer.join();

            assertThat(outcome.get(20, SECONDS)).isEqualTo("copied");
        }
    }

    private void copyOneFile() {
        copying.countDown();
        try {
            copied.await();
            outcome.complete("copied");
        } catch (InterruptedException e) {
            outcome.complete("interrupted");
        }
    }

    @Test
    void the_end_is_told_on_the_given_executor() throws Exception {
        MemoryLeaseStore store = MemoryLeaseStore.create();
        ExecutorService application = Executors.newSingleThreadExecutor(task -> new Thread(task, "application"));
        // tag::callbacks
        try (Tenure tenure = Tenure.over(store).callbacks(application).open()) {
            HeldLock held = tenure.lock("orders").tryAcquire().orElseThrow();
            held.ended().thenAccept(reason -> forget()); // by a thread of the application's
            held.release();
        }
        // end::callbacks

        assertThat(outcome.get(20, SECONDS)).isEqualTo("forgotten by application");
        application.shutdown();
    }

    private void forget() {
        outcome.complete("forgotten by " + Thread.currentThread().getName());
    }
}
