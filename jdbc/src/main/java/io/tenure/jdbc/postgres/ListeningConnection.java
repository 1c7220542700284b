package io.tenure.jdbc.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A connection that listens to one channel. Names types of the driver, which is the user's and may be
 * missing: whoever uses this reckons with a {@link LinkageError}.
 *
 * <p>For one thread, but for {@link #abort()}.
 */
final class ListeningConnection implements AutoCloseable {
    private static final int MOST_ATTEMPTS = 100;

    private final Connection connection;
    private final PGConnection driver;
    private final String channel;
    private final int session;
    private final boolean autoCommit;
    private final int networkTimeout;

    private ListeningConnection(Connection connection, PGConnection driver, String channel, int timeoutMillis)
            throws SQLException {
        this.connection = connection;
        this.driver = driver;
        this.channel = channel;
        this.autoCommit = connection.getAutoCommit();
        this.networkTimeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, timeoutMillis);
        connection.setAutoCommit(true); // within a transaction nothing is delivered
        session = sessionThatRan("LISTEN " + channel);
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
            return new ListeningConnection(connection, connection.unwrap(PGConnection.class), channel, timeoutMillis);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** What has arrived on the channel; waits for the first for so long. */
    List<String> next(int millis) throws SQLException {
        PGNotification[] arrived = driver.getNotifications(millis);
        return arrived == null
                ? List.of()
                // Behind a pool that changes sessions this may be one that others listen on.
                : Stream.of(arrived)
                        .filter(each -> each.getName().equals(channel))
                        .map(PGNotification::getParameter)
                        .toList();
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

    /** Which session of the server ran {@code sql}, in one transaction with the question. */
    private int sessionThatRan(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backend_pid();" + sql);
            try (ResultSet answering = statement.getResultSet()) {
                answering.next();
                return answering.getInt(1);
            }
        }
    }

    /**
     * It is the session that listens, and whatever hands out another one with every transaction would leave it listening.
     * So this is said until that one has heard it; one that is busy all that time goes on, to a channel where nothing is said.
     */
    private void stopListening() throws SQLException {
        int attempts = 1;
        while (sessionThatRan("UNLISTEN " + channel) != session && attempts < MOST_ATTEMPTS) {
            attempts++;
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
            stopListening();
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
