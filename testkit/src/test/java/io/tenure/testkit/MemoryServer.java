package io.tenure.testkit;

import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryFence;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.LeaseStore;
import java.time.Duration;

/** The memory store, on time that is moved by hand, with all that it can do. */
final class MemoryServer implements LeaseServer.GuardsState, LeaseServer.ForgetsLocks, LeaseServer.HoldsForeignLeases {
    private final ManualTimeline time = new ManualTimeline();
    private final MemoryLeaseStore store = MemoryLeaseStore.on(time);

    @Override
    public LeaseStore connect() {
        return store.peer();
    }

    @Override
    public LeaseStore connect(Duration retention) {
        return MemoryLeaseStore.builder().timeline(time).retention(retention).open();
    }

    @Override
    public void elapse(Duration span) {
        time.advance(span);
    }

    @Override
    public Duration shortTtl() {
        return Duration.ofSeconds(1);
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

    @Override
    public void plant(String name, String value, Duration ttl) {
        store.data().plant(name, value, ttl);
    }

    @Override
    public GuardedCell cell(LeaseStore client, String name) {
        MemoryFence fence = ((MemoryLeaseStore) client).fence(name);
        return new Cell(fence);
    }

    @Override
    public void close() {
        store.close();
    }

    private static final class Cell implements LeaseServer.GuardedCell {
        private final MemoryFence fence;
        private String value = "";

        private Cell(MemoryFence fence) {
            this.fence = fence;
        }

        @Override
        public void write(long token, String written) {
            fence.run(token, () -> value = written);
        }

        @Override
        public void writeWhatFails(long token) {
            fence.run(token, () -> {
                throw new IllegalStateException("the resource is full");
            });
        }

        @Override
        public void claim(long token) {
            fence.claim(token);
        }

        @Override
        public String read() {
            return value;
        }
    }
}
