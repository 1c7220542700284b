package io.tenure.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A connection that listens to one channel. The only class that names types of the driver, which is the user's and may be
 * missing: whoever uses this reckons with a {@link LinkageError}.
 *
 * <p>For one thread, but for {@link #abort()}.
 */
final class ListeningConnection implements AutoCloseable {
    private final Connection connection;
    private final PGConnection driver;
    private final boolean autoCommit;
    private final int networkTimeout;

    private ListeningConnection(Connection connection, PGConnection driver, int timeoutMillis) throws SQLException {
        this.connection = connection;
        this.driver = driver;
        this.autoCommit = connection.getAutoCommit();
        this.networkTimeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, timeoutMillis);
        connection.setAutoCommit(true); // within a transaction nothing is delivered
    }

    /**
     * Listens on {@code connection}, which is closed when that fails.
     *
     * @param timeoutMillis how long any answer may take
     * @throws SQLException also when it is no connection of the PostgreSQL driver, as {@link ForeignDriverException}
     */
    static ListeningConnection of(Connection connection, String channel, int timeoutMillis) throws SQLException {
        try {
            if (!connection.isWrapperFor(PGConnection.class)) {
                throw new ForeignDriverException(connection.getClass().getName());
            }
            ListeningConnection opened =
                    new ListeningConnection(connection, connection.unwrap(PGConnection.class), timeoutMillis);
            opened.execute("LISTEN " + channel);
            return opened;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** What has arrived; waits for the first for so long. */
    List<String> next(int millis) throws SQLException {
        PGNotification[] arrived = driver.getNotifications(millis);
        return arrived == null
                ? List.of()
                : Stream.of(arrived).map(PGNotification::getParameter).toList();
    }

    /** Asks the server for an answer, since a connection whose other end is gone looks like one without news. */
    void beat() throws SQLException {
        execute("SELECT 1");
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Ends the connection whatever it is doing, without a word to the server. Any thread. */
    void abort() throws SQLException {
        connection.abort(Runnable::run);
    }

    /** Gives the connection back as it was. One that is broken shows that to its pool by failing here. */
    @Override
    public void close() throws SQLException {
        try (connection) {
            execute("UNLISTEN *");
            connection.setAutoCommit(autoCommit);
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        }
    }

    /** A connection of this type is none of the PostgreSQL driver, which alone tells of notifications. */
    static final class ForeignDriverException extends SQLException {
        private static final long serialVersionUID = 1L;

        ForeignDriverException(String type) {
            super(type);
        }
    }
}
