package io.tenure.benchmarks.sql;

import io.tenure.benchmarks.Subject;
import io.tenure.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A table of the user's, written with and without a fence; one row a subject, so that none is in another's way. */
final class Accounts {
    private static final String TABLE =
            "CREATE TABLE IF NOT EXISTS account (name text PRIMARY KEY, balance bigint NOT NULL);"
                    + " INSERT INTO account VALUES ('plain', 0), ('fenced', 0) ON CONFLICT DO NOTHING";
    private static final String UPDATE = "UPDATE account SET balance = balance + ? WHERE name = ?";
    private static final long TOKEN = 7;

    private final DataSource pool;
    private final JdbcFence fence;

    private Accounts(DataSource pool, JdbcFence fence) {
        this.pool = pool;
        this.fence = fence;
    }

    static Accounts on(DataSource pool) {
        Sql.run(pool, TABLE);
        JdbcFence.createSchema(pool);
        JdbcFence fence = JdbcFence.over(pool, "accounts");
        fence.claim(TOKEN);
        return new Accounts(pool, fence);
    }

    Subject update() {
        return Subject.of("plain statement", thread -> () -> Sql.changeOne(pool, UPDATE, 1L, "plain"));
    }

    Subject guardedUpdate() {
        return Subject.of("JdbcFence.guardedUpdate", thread -> () -> {
            if (fence.guardedUpdate(TOKEN, UPDATE, 1L, "fenced") != 1) {
                throw new IllegalStateException("There is no such account");
            }
        });
    }

    Subject transaction() {
        return Subject.of(
                "transaction of one statement",
                thread -> () -> inTransaction(connection -> {
                    Sql.changeOne(connection, UPDATE, 1L, "plain");
                }));
    }

    Subject fencedTransaction() {
        return Subject.of(
                "the same after JdbcFence.require",
                thread -> () -> inTransaction(connection -> {
                    fence.require(connection, TOKEN);
                    Sql.changeOne(connection, UPDATE, 1L, "fenced");
                }));
    }

    /** What is done within one. */
    @FunctionalInterface
    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    /** A pool takes a connection back with auto-commit on, and ends what was left open. */
    private void inTransaction(Work work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            work.on(connection);
            connection.commit();
        }
    }
}
