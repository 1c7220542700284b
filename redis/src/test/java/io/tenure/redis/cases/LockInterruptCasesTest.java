package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of threads that are interrupted while they acquire. */
class LockInterruptCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    /** Longer than the patience of this test: what is not given back at once is found. */
    private static final Duration TTL = Bench.PATIENCE.multipliedBy(2);

    private static final LockOptions OPTIONS = LockOptions.ofTtl(TTL).build();
    private static final int LANES = 4;
    private static final int CYCLES = 250;

    private final AtomicInteger thrown = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();

    @Test
    void
            case18_of_1000_acquires_that_are_interrupted_at_random_each_throws_and_holds_nothing_or_holds_with_the_flag_set() {
        List<Doing<Boolean>> lanes = new ArrayList<>();
        for (int i = 0; i < LANES; i++) {
            String name = bench.name("lane");
            LeaseLock lock = bench.member().tenure.lock(name, OPTIONS);
            LeaseLock rival = bench.member().tenure.lock(name, OPTIONS);
            Random random = new Random(i);
            lanes.add(Doing.of(() -> {
                for (int cycle = 0; cycle < CYCLES; cycle++) {
                    if (cycle % 2 == 0) {
                        interrupted(lock, random);
                    } else {
                        HeldLock other = rival.tryAcquire(TTL).orElseThrow();
                        Doing<Boolean> releasing = Doing.of(() -> {
                            LockSupport.parkNanos(random.nextInt(3_000_000));
                            other.release();
                            return true;
                        });
                        interrupted(lock, random);
                        releasing.result();
                    }
                    until("is free", () -> bench.isFree(name));
                }
                return true;
            }));
        }

        lanes.forEach(Doing::result);

        assertThat(thrown.get() + held.get()).isEqualTo(LANES * CYCLES);
        assertThat(thrown.get()).as("interrupted waits").isGreaterThan(100);
        assertThat(held.get()).as("that held in spite of it").isGreaterThan(50);
    }

    /** One acquire, interrupted before, during or after it. */
    private void interrupted(LeaseLock lock, Random random) {
        long moment = random.nextInt(3_000_000);
        CountDownLatch interrupted = new CountDownLatch(1);
        Doing<HeldLock> acquire = Doing.of(() -> {
            HeldLock got = lock.acquire();
            while (interrupted.getCount() > 0) {
                Thread.onSpinWait(); // nothing that an interrupt would end
            }
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the flag is still set")
                    .isTrue();
            assertThat(got.isHeld()).isTrue();
            got.release();
            return got;
        });
        LockSupport.parkNanos(moment);
        acquire.interrupt();
        interrupted.countDown();
        until("the acquire is over", acquire::isOver);
        if (acquire.hasFailed()) {
            assertThat(acquire.failure()).isInstanceOf(InterruptedException.class);
            assertThat(acquire.wasInterruptedAtTheEnd())
                    .as("became the exception")
                    .isFalse();
            thrown.incrementAndGet();
        } else {
            assertThat(acquire.result().isHeld()).isFalse();
            assertThat(acquire.wasInterruptedAtTheEnd())
                    .as("kept through the release")
                    .isTrue();
            held.incrementAndGet();
        }
    }
}
