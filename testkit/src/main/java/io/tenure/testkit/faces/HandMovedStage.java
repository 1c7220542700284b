package io.tenure.testkit.faces;

import io.tenure.Timeline;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * A memory store on time that is moved by hand: nothing sleeps, and nothing happens unless time is moved. Time does not
 * move before the threads that a test has started, such as those of leaders' work, have done what they can. Thread-safe.
 */
public final class HandMovedStage implements Stage {
    private static final int STEPS = 200;

    private final ManualTimeline time = new ManualTimeline();
    private final Stillness threads = new Stillness();
    private final Timeline patient = new PatientTimeline();
    private final MemoryLeaseStore server = MemoryLeaseStore.on(patient);

    /** A server without leases, at time 0. */
    public HandMovedStage() {}

    /** The server, as one of its clients. */
    public MemoryLeaseStore server() {
        return server;
    }

    @Override
    public LeaseStore connect() {
        return server.peer();
    }

    @Override
    public Optional<Timeline> timeline() {
        return Optional.of(patient);
    }

    @Override
    public Duration ttl() {
        return Duration.ofSeconds(6);
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public void elapse(Duration span) {
        threads.await();
        time.advance(span);
    }

    @Override
    public boolean comesTrue(Duration span, BooleanSupplier condition) {
        long end = time.nanos() + span.toNanos();
        long step = Math.max(1, span.toNanos() / STEPS);
        time.settle();
        if (!span.isZero()) {
            threads.await();
        }
        while (time.nanos() < end) {
            if (condition.getAsBoolean()) {
                return true;
            }
            time.advance(Duration.ofNanos(Math.min(step, end - time.nanos())));
        }
        return Patience.until(Patience.FOR_THREADS, condition);
    }

    /** Time that goes on from one task to the next only when whomever the first one woke has done what it can. */
    private final class PatientTimeline implements Timeline {
        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public Timer schedule(long at, long slack, Runnable task) {
            threads.step();
            return time.schedule(at, slack, () -> {
                task.run();
                threads.await();
            });
        }

        @Override
        public Background background(String name) {
            return time.background(name);
        }

        @Override
        public void await(CompletionStage<?> answer) {
            time.await(answer);
        }

        @Override
        public void close() {
            time.close();
        }
    }
}
