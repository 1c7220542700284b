package io.tenure.testkit.sim;

import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.LeaseStore;

/** The store in memory as a server. */
final class MemorySimulatedServer implements SimulatedServer {
    private final MemoryLeaseStore store;

    MemorySimulatedServer(MemoryLeaseStore store) {
        this.store = store;
    }

    @Override
    public LeaseStore requests() {
        return store;
    }

    @Override
    public LeaseStore connection() {
        return store.peer();
    }

    @Override
    public void write(String name, long token) {
        store.fence(name).run(token, () -> {});
    }

    @Override
    public void loseEverything() {
        store.data().loseEverything();
    }

    @Override
    public void loseCounter(String name) {
        store.data().loseCounter(name);
    }

    @Override
    public void loseMark(String name) {
        store.data().loseMark(name);
    }
}
