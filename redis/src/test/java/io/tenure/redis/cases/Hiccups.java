package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A bystander that wants to wake every 5 ms, and remembers how late it ever was: that late this machine makes anybody, so
 * a test that measures time owes nobody less.
 */
final class Hiccups implements AutoCloseable {
    private static final long PACE = Duration.ofMillis(5).toNanos();

    private final AtomicLong worst = new AtomicLong();
    private final Thread thread = new Thread(this::watch, "bystander");
    private volatile boolean over;

    Hiccups() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!over) {
            long due = System.nanoTime() + PACE;
            LockSupport.parkNanos(PACE);
            worst.accumulateAndGet(System.nanoTime() - due, Math::max);
        }
    }

    Duration worst() {
        return Duration.ofNanos(worst.get());
    }

    /** Nine in ten at most 100 ms late and none more than a second, beyond what the machine itself was late. */
    void assertPunctual(List<Duration> late) {
        List<Duration> sorted = late.stream().sorted().toList();
        Duration p90 = sorted.get(Math.min(sorted.size() - 1, sorted.size() * 9 / 10));
        assertThat(p90).as("p90 of %s, machine %s", sorted, worst()).isLessThanOrEqualTo(worst().plusMillis(100));
        assertThat(sorted.get(sorted.size() - 1))
                .as("latest of %s, machine %s", sorted, worst())
                .isLessThanOrEqualTo(worst().plusSeconds(1));
    }

    @Override
    public void close() {
        over = true;
    }
}
