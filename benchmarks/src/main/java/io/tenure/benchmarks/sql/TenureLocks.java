package io.tenure.benchmarks.sql;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.Tenure;
import io.tenure.benchmarks.Operation;
import io.tenure.benchmarks.Subject;
import io.tenure.jdbc.CallThread;
import io.tenure.jdbc.JdbcLeaseStore;
import io.tenure.jdbc.JdbcStoreOptions;
import javax.sql.DataSource;

/** Locks of Tenure as anybody would use them, but for the threads on which their calls run. */
final class TenureLocks implements Subject {
    private final String name;
    private final Tenure tenure;

    private TenureLocks(String name, Tenure tenure) {
        this.name = name;
        this.tenure = tenure;
    }

    static Subject on(DataSource pool) {
        return over("Tenure", pool, JdbcStoreOptions.defaults());
    }

    static Subject onCallersThreads(DataSource pool) {
        return over(
                "Tenure callsOn(CALLER)",
                pool,
                JdbcStoreOptions.builder().callsOn(CallThread.CALLER).build());
    }

    private static Subject over(String name, DataSource pool, JdbcStoreOptions options) {
        JdbcLeaseStore store = JdbcLeaseStore.over(pool, options);
        store.createSchema();
        return new TenureLocks(name, Tenure.over(store).open());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Operation operation(int thread) {
        LeaseLock lock = tenure.lock(name + "-" + thread);
        return () -> {
            HeldLock held = lock.tryAcquire().orElseThrow();
            held.release();
        };
    }

    @Override
    public void close() {
        tenure.close();
    }
}
