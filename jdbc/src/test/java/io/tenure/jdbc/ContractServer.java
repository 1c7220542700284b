package io.tenure.jdbc;

import io.tenure.spi.LeaseStore;
import io.tenure.testkit.LeaseServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The database of a test class, as the contracts want it: all clients over one pool, as one service has it. */
final class ContractServer implements LeaseServer.ForgetsLocks {
    private final PooledStores stores;

    ContractServer(PooledStores stores) {
        this.stores = stores;
    }

    @Override
    public LeaseStore connect() {
        return stores.store(JdbcStoreOptions.defaults());
    }

    @Override
    public LeaseStore connect(Duration retention) {
        return stores.store(JdbcStoreOptions.builder().retention(retention).build());
    }

    @Override
    public void elapse(Duration span) {
        long end = System.nanoTime() + span.toNanos();
        try {
            for (long left = span.toNanos(); left > 0; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.sleep(left);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Duration shortTtl() {
        return Duration.ofMillis(750); // less than a busy machine may pause within a test would end leases early
    }
}
