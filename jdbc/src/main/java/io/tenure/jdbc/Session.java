package io.tenure.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A connection for one call, which has to be over in time. Every statement commits by itself; nothing is left on the
 * connection when it goes back to where it came from, as the next one may be another session of the server's.
 *
 * <p>Two time-outs bound a statement. The first, in whole seconds as JDBC has it, has the server give up, so that nothing
 * goes on waiting for a lock in the name of a caller that has left. The second, a little later, is the one of the socket:
 * for a server that says nothing any more. After that one the connection is closed, since its answer may still come.
 */
final class Session implements AutoCloseable {
    private final Connection connection;
    private final long deadline;
    private final QueryTimeout queryTimeout;
    private final boolean autoCommit;
    private final int networkTimeout;
    private boolean healthy = true;

    /** Whether the server can be asked to give up a statement without leaving anything on the session. */
    enum QueryTimeout {
        PER_STATEMENT,
        NONE
    }

    private Session(Connection connection, long deadline, QueryTimeout queryTimeout) throws SQLException {
        this.connection = connection;
        this.deadline = deadline;
        this.queryTimeout = queryTimeout;
        this.networkTimeout = networkTimeoutOf(connection);
        limitNetwork();
        this.autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.setAutoCommit(true);
        }
    }

    /**
     * Takes a connection. How long that may take is up to the data source.
     *
     * @throws SQLTimeoutException when it took so long that nobody waits for the call any more; nothing was sent
     */
    static Session open(DataSource source, Duration callTimeout) throws SQLException {
        long asked = System.nanoTime();
        Connection connection = source.getConnection();
        try {
            long now = System.nanoTime();
            if (now - asked > callTimeout.toNanos()) {
                throw new SQLTimeoutException(SqlErrors.NO_CONNECTION_IN_TIME + " (" + callTimeout.toMillis() + " ms)");
            }
            QueryTimeout queryTimeout =
                    Dialect.of(connection) == Dialect.H2 ? QueryTimeout.NONE : QueryTimeout.PER_STATEMENT;
            return new Session(connection, now + callTimeout.toNanos(), queryTimeout);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    /** Whether there is time for another statement. */
    boolean hasTime() {
        return left() > 0;
    }

    /** A statement that is cut when the time of the call is over. */
    PreparedStatement prepare(String sql) throws SQLException {
        limitNetwork();
        PreparedStatement statement = connection.prepareStatement(sql);
        long wholeSeconds = (left() - 1) / 1_000;
        if (queryTimeout == QueryTimeout.PER_STATEMENT && wholeSeconds > 0) {
            statement.setQueryTimeout((int) wholeSeconds);
        }
        return statement;
    }

    private long left() {
        return (deadline - System.nanoTime()) / 1_000_000;
    }

    private void limitNetwork() throws SQLException {
        long left = left();
        if (left <= 0) {
            throw new SQLTimeoutException("The time of the call was over before its last statement");
        }
        setNetworkTimeout((int) left);
    }

    private void setNetworkTimeout(int millis) throws SQLException {
        try {
            connection.setNetworkTimeout(Runnable::run, millis);
        } catch (SQLFeatureNotSupportedException e) {
            return; // an embedded database has no network
        }
    }

    private static int networkTimeoutOf(Connection connection) throws SQLException {
        try {
            return connection.getNetworkTimeout();
        } catch (SQLFeatureNotSupportedException e) {
            return 0;
        }
    }

    /** To be told of whatever failed, before this is closed. */
    void failed(SQLException cause) {
        healthy = healthy && !SqlErrors.breaksConnection(cause);
    }

    /** Gives the connection back as it came, or closes it for good when it is not to be trusted any more. */
    @Override
    public void close() {
        try (Connection returned = connection) {
            if (healthy) {
                restore();
            } else {
                returned.abort(Runnable::run);
            }
        } catch (SQLException e) {
            // What the call did is done, and its caller has to know that rather than this. The pool looks after the
            // rest.
            healthy = false;
        }
    }

    private void restore() throws SQLException {
        try {
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
            setNetworkTimeout(networkTimeout);
        } catch (SQLException e) {
            connection.abort(Runnable::run);
        }
    }
}
