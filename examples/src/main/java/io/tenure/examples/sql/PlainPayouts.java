package io.tenure.examples.sql;

import io.tenure.jdbc.BoundJdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A leader that pays out, by plain JDBC. One for each term, over the fence bound to it. */
final class PlainPayouts {
    private final DataSource source;
    private final BoundJdbcFence bound;

    PlainPayouts(DataSource source, BoundJdbcFence bound) {
        this.source = source;
        this.bound = bound;
    }

    // tag::plain
    void pay(String account, long amount) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                bound.require(connection); // first: a stale token throws, and the mark stays until the commit
                take(connection, account, amount);
                note(connection, account, amount);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }
    // end::plain

    private static void take(Connection connection, String account, long amount) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE accounts SET balance = balance - ? WHERE name = ?")) {
            statement.setLong(1, amount);
            statement.setString(2, account);
            if (statement.executeUpdate() == 0) {
                throw new IllegalStateException("There is no account '" + account + "'");
            }
        }
    }

    private static void note(Connection connection, String account, long amount) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO payouts (account, amount) VALUES (?, ?)")) {
            statement.setString(1, account);
            statement.setLong(2, amount);
            statement.executeUpdate();
        }
    }
}
