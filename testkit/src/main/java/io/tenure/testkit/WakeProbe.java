package io.tenure.testkit;

import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Remembers the wake-ups that were not looked at yet. */
final class WakeProbe implements Wakeups.Listener {
    private final BlockingQueue<Duration> wakes = new LinkedBlockingQueue<>();

    @Override
    public void wake(Duration after) {
        wakes.add(after);
    }

    /** When the next wake-up says to look; waits for it. */
    Duration next() {
        try {
            Duration after = wakes.poll(Answers.PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (after == null) {
                throw new AssertionError("Nobody was woken within " + Answers.PATIENCE_SECONDS + " s");
            }
            return after;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    boolean hasMore() {
        return !wakes.isEmpty();
    }
}
