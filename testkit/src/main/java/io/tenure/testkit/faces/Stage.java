package io.tenure.testkit.faces;

import io.tenure.Timeline;
import io.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Where the laws of the faces play: one server of leases, and the time by which it and its clients live. Called on the
 * thread of the test, and on those that it starts.
 */
public interface Stage extends AutoCloseable {
    /** Another client of the one server, as another process would open it. Whoever is given it closes it. */
    LeaseStore connect();

    /** The time that the clients are to be given; empty for real time. */
    Optional<Timeline> timeline();

    /** The unit of the laws' time: the ttl of most leases. Long beside round trips and the pauses of a busy machine. */
    Duration ttl();

    /** The reading of this stage's clock, in nanoseconds since an arbitrary origin. */
    long nanos();

    /** Lets {@code span} pass. */
    void elapse(Duration span);

    /**
     * Lets time pass until {@code condition} holds, or {@code span} has passed; then waits, for a generous while of real
     * time but without moving time by hand, for threads to catch up. Returns whether it holds; it is not
     * looked at again once it did.
     */
    boolean comesTrue(Duration span, BooleanSupplier condition);

    /** Lets go of the server; called after each test, when all clients have been closed. */
    @Override
    default void close() {}
}
