package io.tenure.testkit.faces;

import io.tenure.Timeline;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A memory store on time that is moved by hand: nothing sleeps, and nothing happens unless time is moved. Thread-safe. */
public final class HandMovedStage implements Stage {
    private static final int STEPS = 200;

    private final ManualTimeline time = new ManualTimeline();
    private final MemoryLeaseStore server = MemoryLeaseStore.on(time);

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
        return Optional.of(time);
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
        time.advance(span);
    }

    @Override
    public boolean comesTrue(Duration span, BooleanSupplier condition) {
        long end = time.nanos() + span.toNanos();
        long step = Math.max(1, span.toNanos() / STEPS);
        time.settle();
        while (time.nanos() < end) {
            if (condition.getAsBoolean()) {
                return true;
            }
            Patience.glance();
            time.advance(Duration.ofNanos(Math.min(step, end - time.nanos())));
        }
        return Patience.until(Patience.FOR_THREADS, condition);
    }
}
