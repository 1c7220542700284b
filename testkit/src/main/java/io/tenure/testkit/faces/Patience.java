package io.tenure.testkit.faces;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Bounded waiting for other threads. */
final class Patience {
    /** Long enough for any thread on any busy machine; reached only by tests that fail. */
    static final Duration FOR_THREADS = Duration.ofSeconds(20);

    private static final long GLANCE = TimeUnit.MICROSECONDS.toNanos(200);
    /** Many wait side by side, most of them for long: to look so seldom takes little from those who work. */
    private static final long SELDOM = TimeUnit.MILLISECONDS.toNanos(2);

    private Patience() {}

    static boolean until(Duration span, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (System.nanoTime() - start <= span.toNanos()) {
            if (condition.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(Math.min(SELDOM, GLANCE + (System.nanoTime() - start) / 16));
        }
        return condition.getAsBoolean();
    }

    static void glance() {
        LockSupport.parkNanos(GLANCE);
    }
}
