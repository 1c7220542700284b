package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.redis.RedisServerRule;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of locks and threads: whose a lease is, and that there may be very many of them. */
class LockThreadCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final LockOptions LONG =
            LockOptions.ofTtl(Duration.ofSeconds(60)).build();
    private static final int CROWD = 10_000;
    private static final int NAMES = 10;

    @Test
    void case27_a_lease_obtained_on_one_thread_is_refreshed_and_released_by_others_when_that_one_is_gone()
            throws Exception {
        String name = bench.name("report");
        Participant member = bench.member();
        LockOptions options = LockOptions.ofTtl(Duration.ofSeconds(2)).renewed().build();
        LeaseLock lock = member.tenure.lock(name, options);
        CompletableFuture<HeldLock> obtained = new CompletableFuture<>();
        Thread first = new Thread(() -> {
            try {
                obtained.complete(lock.acquire());
            } catch (Throwable t) { // the case judges it, whatever it is
                obtained.completeExceptionally(t);
            }
        });
        first.start();
        HeldLock held = obtained.get(20, TimeUnit.SECONDS);
        first.join(20_000);
        assertThat(first.isAlive()).isFalse();

        long renewals = member.wire.count(Verb.RENEW);
        until("is renewed without its thread", () -> member.wire.count(Verb.RENEW) > renewals + 1);
        assertThat(lock.tryAcquire()).as("no thread has a second one").isEmpty();
        onAThreadOfItsOwn(held::refresh);
        assertThat(held.isHeld()).isTrue();
        onAThreadOfItsOwn(held::release);

        assertThat(bench.isFree(name)).isTrue();
        assertThat(held.isHeld()).isFalse();
        assertThat(held.ended().toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo(EndReason.RELEASED);
        onAThreadOfItsOwn(held::close);
        HeldLock next = lock.tryAcquire().orElseThrow();
        onAThreadOfItsOwn(next::close);
        assertThat(bench.isFree(name)).isTrue();
    }

    private static void onAThreadOfItsOwn(Runnable what) {
        Doing.of(() -> {
                    what.run();
                    return true;
                })
                .result();
    }

    /** Ten names, each used by one after another only, and how many had their turn. */
    private final class Turns {
        private final List<LeaseLock> locks = new ArrayList<>();
        private final AtomicIntegerArray inside = new AtomicIntegerArray(NAMES);
        private final AtomicInteger overlaps = new AtomicInteger();
        private final AtomicInteger served = new AtomicInteger();
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        private final CountDownLatch all = new CountDownLatch(CROWD);

        Turns(Tenure tenure) {
            for (int i = 0; i < NAMES; i++) {
                locks.add(tenure.lock(bench.name("turn"), LONG));
            }
        }

        void enter(int number) {
            if (inside.incrementAndGet(number) != 1) {
                overlaps.incrementAndGet();
            }
        }

        void leave(int number) {
            inside.decrementAndGet(number);
        }

        void over(Throwable failure) {
            if (failure == null) {
                served.incrementAndGet();
            } else {
                failures.add(failure);
            }
            all.countDown();
        }

        void verify() throws InterruptedException {
            assertThat(all.await(120, TimeUnit.SECONDS))
                    .as("all had their turn, of whom %s", served)
                    .isTrue();
            assertThat(failures).isEmpty();
            assertThat(overlaps).hasValue(0);
            assertThat(served).hasValue(CROWD);
            assertThat(locks)
                    .allSatisfy(lock -> assertThat(bench.isFree(lock.name())).isTrue());
        }
    }

    @Test
    void case27_10000_threads_on_10_names_virtual_ones_where_there_are_any_all_get_their_turn() throws Exception {
        Turns turns = new Turns(bench.member().tenure);
        ExecutorService threads = threads();
        try {
            for (int i = 0; i < CROWD; i++) {
                int number = i % NAMES;
                threads.execute(() -> {
                    try (HeldLock held = turns.locks.get(number).acquire()) {
                        turns.enter(number);
                        Thread.yield();
                        turns.leave(number);
                        held.release();
                        turns.over(null);
                    } catch (InterruptedException | RuntimeException e) {
                        turns.over(e);
                    }
                });
            }

            turns.verify();
        } finally {
            threads.shutdownNow();
        }
    }

    /** A virtual thread a task, by a name that the compiler need not know; on an older JDK as many others as it bears. */
    private static ExecutorService threads() throws ReflectiveOperationException {
        int version = Runtime.version().feature();
        if (version >= 21) {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        }
        System.out.println("case27: virtual threads not run on JDK " + version + "; 400 other ones stand in for them");
        return Executors.newFixedThreadPool(400);
    }

    @Test
    void case27_10000_waits_without_threads_on_10_names_all_get_their_turn() throws Exception {
        Turns turns = new Turns(bench.member().tenure);
        for (int i = 0; i < CROWD; i++) {
            int number = i % NAMES;
            CompletableFuture<?> turn = turns.locks
                    .get(number)
                    .tryAcquireAsync(Duration.ofMinutes(2))
                    .thenCompose(held -> {
                        turns.enter(number);
                        turns.leave(number);
                        return held.orElseThrow().releaseAsync();
                    })
                    .toCompletableFuture();
            turn.whenComplete((done, failure) -> turns.over(failure));
        }

        turns.verify();
    }

    @Test
    void case28_threads_of_one_tenure_never_both_hold_one_name() {
        String name = bench.name("report");
        Tenure tenure = bench.member().tenure;
        Tenure stranger = bench.member().tenure;
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Queue<Long> tokens = new ConcurrentLinkedQueue<>();
        List<Doing<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            LeaseLock lock = (i < 8 ? tenure : stranger).lock(name, LONG);
            threads.add(Doing.of(() -> {
                for (int cycle = 0; cycle < 50; cycle++) {
                    try (HeldLock held = lock.acquire()) {
                        most.accumulateAndGet(holders.incrementAndGet(), Math::max);
                        tokens.add(held.token());
                        Thread.yield();
                        holders.decrementAndGet();
                    }
                }
                return true;
            }));
        }

        threads.forEach(Doing::result);

        assertThat(most).hasValue(1);
        assertThat(tokens).hasSize(500);
        assertThat(List.copyOf(tokens)).as("in the order of holding").isSorted().doesNotHaveDuplicates();
    }
}
