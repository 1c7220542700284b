package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.spi.LeaseStore;
import io.tenure.testkit.LeaseServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The database of a test class, as the contracts want it: all clients over one pool, as one service has it. */
final class ContractServer implements LeaseServer.ForgetsLocks, LeaseServer.LosesAll {
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
    public void loseEverything() {
        execute("DELETE FROM " + table());
    }

    @Override
    public void loseTokens(String name) {
        String own = stores.database().product() == Product.H2 ? "CAST('" + name + "' AS VARBINARY)" : "'" + name + "'";
        execute("UPDATE " + table() + " SET counter = 0, version = version + 1 WHERE name = " + own);
    }

    private String table() {
        return stores.database().product() == Product.MARIADB ? "`tenure_lease`" : "\"tenure_lease\"";
    }

    private void execute(String sql) {
        try {
            stores.database().execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
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
