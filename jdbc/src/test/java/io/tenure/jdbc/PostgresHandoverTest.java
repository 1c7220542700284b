package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.jdbc.postgres.ChangingConnections;
import io.tenure.jdbc.servers.Product;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks that go from one process to another, as users see it. */
class PostgresHandoverTest {
    private static final Duration LOOKS_EVERY = Duration.ofMillis(500);
    private static final int PASSES = 6;

    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    @Test
    void law21_a_lock_that_is_pushed_goes_from_hand_to_hand_in_less_time_than_one_that_is_polled_for()
            throws Exception {
        JdbcStoreOptions pushed = JdbcStoreOptions.defaults();
        JdbcStoreOptions polled = JdbcStoreOptions.builder()
                .listenOn(new ChangingConnections(stores.pool()).dataSource())
                .build();

        long byPush = passesBetween("pushed", pushed);
        long byPolling = passesBetween("polled", polled);

        assertThat(byPush).as("nanos for all by push").isLessThan(byPolling / 2);
    }

    /** How long it takes two processes that want the same lock all the time to have had it so often in turns. */
    private static long passesBetween(String name, JdbcStoreOptions options) throws Exception {
        AtomicInteger passes = new AtomicInteger();
        AtomicInteger last = new AtomicInteger(-1);
        long begun = System.nanoTime();
        together(
                2,
                (process, lock) -> {
                    while (passes.get() < PASSES) {
                        try (HeldLock held = lock.acquire()) {
                            held.requireHeld();
                            if (last.getAndSet(process) != process) {
                                passes.incrementAndGet();
                            }
                        }
                    }
                },
                name,
                options);
        return System.nanoTime() - begun;
    }

    @Test
    void law21_in_a_crowd_that_wants_one_lock_everybody_gets_it() throws Exception {
        int turns = 5;
        AtomicInteger inside = new AtomicInteger();
        List<Integer> most = new ArrayList<>();

        together(
                8,
                (process, lock) -> {
                    for (int i = 0; i < turns; i++) {
                        try (HeldLock held =
                                lock.tryAcquire(Duration.ofSeconds(60)).orElseThrow()) {
                            held.requireHeld();
                            most.add(inside.incrementAndGet()); // under the lock, so by one thread at a time
                            inside.decrementAndGet();
                        }
                    }
                },
                "crowd",
                JdbcStoreOptions.defaults());

        assertThat(most).hasSize(8 * turns).containsOnly(1);
    }

    private interface Work {
        void with(int process, LeaseLock lock) throws Exception;
    }

    private static void together(int processes, Work work, String name, JdbcStoreOptions options) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(processes);
        List<Tenure> tenures = new ArrayList<>();
        try {
            List<Future<Boolean>> running = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                int process = i;
                Tenure tenure = Tenure.over(stores.store(options)).open();
                tenures.add(tenure);
                LeaseLock lock = tenure.lock(
                        name,
                        LockOptions.ofTtl(Duration.ofSeconds(20))
                                .retryEvery(LOOKS_EVERY)
                                .build());
                Callable<Boolean> task = () -> {
                    work.with(process, lock);
                    return true;
                };
                running.add(threads.submit(task));
            }
            for (Future<Boolean> each : running) {
                assertThat(each.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
            tenures.forEach(Tenure::close);
        }
    }
}
