package io.tenure.jdbc.fence;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** What a transaction may see of others. */
enum Isolation {
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
    REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

    final int level;

    Isolation(int level) {
        this.level = level;
    }

    /**
     * Begins a transaction. On PostgreSQL for this one alone: the driver would set it for the session, and the next
     * transaction may be on another session of the server's.
     */
    void begin(Connection connection) throws SQLException {
        if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(false);
            return;
        }
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL " + name().replace('_', ' '));
        }
    }
}
