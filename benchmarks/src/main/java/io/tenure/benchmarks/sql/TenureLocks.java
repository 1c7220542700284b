package io.tenure.benchmarks.sql;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.Tenure;
import io.tenure.benchmarks.Operation;
import io.tenure.benchmarks.Subject;
import io.tenure.jdbc.JdbcLeaseStore;
import javax.sql.DataSource;

/** Locks of Tenure, as anybody would use them: default options. */
final class TenureLocks implements Subject {
    private final Tenure tenure;

    private TenureLocks(Tenure tenure) {
        this.tenure = tenure;
    }

    static Subject on(DataSource pool) {
        JdbcLeaseStore store = JdbcLeaseStore.over(pool);
        store.createSchema();
        return new TenureLocks(Tenure.over(store).open());
    }

    @Override
    public String name() {
        return "Tenure";
    }

    @Override
    public Operation operation(int thread) {
        LeaseLock lock = tenure.lock("tenure-" + thread);
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
