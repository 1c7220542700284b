package io.tenure.jdbc.fence;

import io.tenure.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** An open transaction of a leader, on a connection of its own; rolled back by closing, unless it was committed. */
final class Transaction implements AutoCloseable {
    private final Connection connection;

    Transaction(Connection connection, Isolation isolation) throws SQLException {
        this.connection = connection;
        isolation.begin(connection);
    }

    Connection connection() {
        return connection;
    }

    Transaction require(JdbcFence fence, long token) {
        fence.require(connection, token);
        return this;
    }

    int run(String sql, @Nullable Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** The first column of the first row, as text; empty without a row. */
    String read(String sql, @Nullable Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? String.valueOf(rows.getString(1)) : "";
            }
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            connection.rollback();
            connection.close();
        }
    }
}
