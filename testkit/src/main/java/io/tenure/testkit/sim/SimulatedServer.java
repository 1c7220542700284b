package io.tenure.testkit.sim;

import io.tenure.spi.LeaseStore;

/**
 * The server that a {@link Simulation} puts under faults: a store that decides at once, by the clock that it was given.
 * All of it is called from one thread, and its stages have to be complete when they are returned.
 */
public interface SimulatedServer {
    /** The connection over which all requests arrive; it is never closed. */
    LeaseStore requests();

    /** A new connection, for the wake-ups of one node; closed when the node is gone. */
    LeaseStore connection();

    /**
     * A write to a resource that this server's fence guards.
     *
     * @throws io.tenure.StaleTokenException when {@code token} is not current
     */
    void write(String name, long token);

    /** Loses all leases, tokens and lines. */
    void loseEverything();

    /** Loses the counter of {@code name}. */
    void loseCounter(String name);

    /** Loses the mark of {@code name}. */
    void loseMark(String name);
}
