package io.tenure.testkit.faces;

import io.tenure.Timeline;
import io.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A real server in real time. Thread-safe as far as the maker of clients is. */
public final class RealTimeStage implements Stage {
    private final Supplier<? extends LeaseStore> clients;
    private final Duration ttl;

    /**
     * A server that {@code clients} makes clients of.
     *
     * @param ttl the unit of the laws' time: one to two seconds for a server in another process
     */
    public RealTimeStage(Supplier<? extends LeaseStore> clients, Duration ttl) {
        this.clients = Objects.requireNonNull(clients, "clients");
        this.ttl = Objects.requireNonNull(ttl, "ttl");
    }

    @Override
    public LeaseStore connect() {
        return clients.get();
    }

    @Override
    public Optional<Timeline> timeline() {
        return Optional.empty();
    }

    @Override
    public Duration ttl() {
        return ttl;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void elapse(Duration span) {
        long end = System.nanoTime() + span.toNanos();
        Patience.until(span, () -> System.nanoTime() - end >= 0);
    }

    @Override
    public boolean comesTrue(Duration span, BooleanSupplier condition) {
        return Patience.until(span.plus(Patience.FOR_THREADS), condition);
    }
}
