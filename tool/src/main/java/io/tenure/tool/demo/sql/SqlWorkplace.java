package io.tenure.tool.demo.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.Fence;
import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcLeaseStore;
import io.tenure.spi.LeaseStore;
import io.tenure.tool.demo.Names;
import io.tenure.tool.demo.Workplace;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Leases, and rows that are written through the fence, in one database behind one pool. */
final class SqlWorkplace implements Workplace {
    private final HikariDataSource pool;
    private final Tables tables;
    private final JdbcLeaseStore store;
    private final JdbcFence fence;

    SqlWorkplace(String url, Names names) {
        pool = pool(url, Tables.connections());
        tables = Tables.of(names);
        store = JdbcLeaseStore.over(pool, tables.leaseOptions());
        fence = JdbcFence.over(pool, names.role(), tables.fenceOptions());
    }

    static HikariDataSource pool(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(500); // before an attempt is given up, which would not say why
        config.setInitializationFailTimeout(-1); // the store says better than the pool what is wrong
        return new HikariDataSource(config);
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public Fence[] claims() {
        return new Fence[] {fence};
    }

    @Override
    public void write(String way, long token, String value) {
        switch (way) {
            case SqlBackend.STATEMENT -> fence.guardedUpdate(token, tables.update(), value, way);
            case SqlBackend.TRANSACTION -> transact(token, value, way);
            default -> throw new IllegalArgumentException("unknown way to write: " + way);
        }
    }

    private void transact(long token, String value, String way) {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement update = connection.prepareStatement(tables.update())) {
                fence.require(connection, token);
                update.setString(1, value);
                update.setString(2, way);
                update.executeUpdate();
                connection.commit();
            } finally {
                connection.rollback(); // of nothing, once it is committed
            }
        } catch (SQLException e) {
            throw StoreException.passing("The transaction failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
