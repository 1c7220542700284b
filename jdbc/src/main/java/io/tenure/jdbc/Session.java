package io.tenure.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;

/**
 * A connection for one call, which has to be over in time. Every statement commits by itself; nothing is left on the
 * connection when it goes back to where it came from, as the next one may be another session of the server's.
 *
 * <p>Two time-outs bound a statement. The first has the server give up, so that nothing goes on waiting for a lock in the
 * name of a caller that has left. The second, a little later, is the one of the socket: for a server that says nothing any
 * more. After that one the connection is closed, since its answer may still come.
 */
final class Session implements AutoCloseable {
    private final OwnConnection own;
    private final long deadline;

    private Session(OwnConnection own, long deadline, StatementWatch watch) throws SQLException {
        this.own = own;
        this.deadline = deadline;
        Dialect dialect = Dialect.known(own.raw());
        limitNetwork();
        own.commitEach();
        switch (dialect) {
            case POSTGRESQL -> own.limitStatements(watch.begin());
            case MARIADB -> own.limitStatements(this::limit);
            case H2 -> {} // the thread that asks does the work
        }
    }

    /**
     * Takes a connection. How long that may take is up to the data source.
     *
     * @throws NotSentException when there was none to be had, or it took so long that nobody waits for the call any more
     */
    static Session open(Connections connections, Duration callTimeout, StatementWatch watch) throws NotSentException {
        long asked = System.nanoTime();
        OwnConnection own = connections.take();
        try {
            long now = System.nanoTime();
            if (now - asked > callTimeout.toNanos()) {
                throw new NotSentException(
                        "The pool gave a connection only when it was too late (" + callTimeout.toMillis() + " ms)");
            }
            return new Session(own, now + callTimeout.toNanos(), watch);
        } catch (SQLException e) {
            own.failed(e);
            own.close();
            throw NotSentException.of(e);
        } catch (RuntimeException e) {
            own.close();
            throw e;
        }
    }

    Connection connection() {
        return own.raw();
    }

    /** Whether there is time for another statement. */
    boolean hasTime() {
        return left() > 0;
    }

    /** A statement that is cut when the time of the call is over. */
    PreparedStatement prepare(String sql) throws SQLException {
        limitNetwork();
        return own.prepare(sql);
    }

    /** By the server itself, or by the driver. In whole seconds, as JDBC has it. */
    private void limit(PreparedStatement statement) throws SQLException {
        long wholeSeconds = (left() - 1) / 1_000;
        if (wholeSeconds > 0) {
            statement.setQueryTimeout((int) wholeSeconds);
        }
    }

    private long left() {
        return (deadline - System.nanoTime()) / 1_000_000;
    }

    private void limitNetwork() throws SQLException {
        long left = left();
        if (left <= 0) {
            throw new SQLTimeoutException("The time of the call was over before its last statement");
        }
        own.limitNetwork((int) left);
    }

    /** To be told of whatever failed, before this is closed. */
    void failed(SQLException cause) {
        own.failed(cause);
    }

    @Override
    public void close() {
        own.close();
    }
}
