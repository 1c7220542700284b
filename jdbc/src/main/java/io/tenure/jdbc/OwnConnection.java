package io.tenure.jdbc;

import io.tenure.jdbc.postgres.PreparedStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection from a data source for a while. It goes back as it came, with auto-commit and network time-out restored; one
 * that is not to be trusted any more is closed for good. For one thread.
 */
final class OwnConnection implements AutoCloseable {
    /** A server counts a wait in seconds at worst, and may be slow to say that it is over. */
    static final Duration LAST_WORD = Duration.ofSeconds(2);

    private final Connection connection;
    private final boolean autoCommit;
    private int networkTimeout;
    private Limit limit = statement -> {};

    private Network network = Network.AS_IT_CAME;
    private Prepared prepared = Prepared.AS_IT_CAME;
    private int prepareThreshold;
    private Health health = Health.WELL;

    /** What is done on it. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Has the server give up statements that take too long. */
    @FunctionalInterface
    interface Limit {
        /** {@code statement} is run from now on. */
        void applyTo(PreparedStatement statement) throws SQLException;

        /** Nothing is run any more. Whether what is run next on the connection is safe from being given up in its place. */
        default boolean end() {
            return true;
        }
    }

    private enum Network {
        AS_IT_CAME,
        LIMITED
    }

    private enum Prepared {
        AS_IT_CAME,
        NOTHING
    }

    private enum Health {
        WELL,
        BROKEN
    }

    private OwnConnection(Connection connection) throws SQLException {
        this.connection = connection;
        this.autoCommit = connection.getAutoCommit();
    }

    /**
     * Takes a connection. How long that may take is up to the data source.
     *
     * @throws NotSentException when there was none to be had, for whatever reason
     */
    static OwnConnection of(DataSource source) throws NotSentException {
        try {
            Connection connection = taken(source);
            try {
                return new OwnConnection(connection);
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException | RuntimeException e) {
            throw NotSentException.of(e);
        }
    }

    private static Connection taken(DataSource source) throws SQLException {
        @Nullable Connection connection = source.getConnection();
        if (connection == null) {
            throw new NotSentException("The data source gave null instead of a connection");
        }
        return connection;
    }

    /** Whether each statement committed by itself already when this was taken. */
    boolean cameCommitting() {
        return autoCommit;
    }

    /** For what neither commits nor changes a setting. */
    Connection raw() {
        return connection;
    }

    /** From now on an answer of the server may take so long, and the connection is broken when it takes longer. */
    void limitNetwork(int millis) throws SQLException {
        if (network == Network.AS_IT_CAME) {
            networkTimeout = networkTimeoutOf(connection);
            network = Network.LIMITED;
        }
        setNetworkTimeout(millis);
    }

    /** From now on what {@link #prepare} made is limited so. */
    void limitStatements(Limit limit) {
        this.limit = limit;
    }

    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        limit.applyTo(statement);
        return statement;
    }

    /** Runs {@code work}, each of whose statements commits by itself, and whose answers may take so long. */
    <T> T briefly(Duration patience, Work<T> work) throws SQLException {
        limitNetwork((int) patience.toMillis());
        T result = committing(work);
        setNetworkTimeout(
                networkTimeout); // after a failure it is put back with the connection, if that is to be used at all
        return result;
    }

    /** From now on the driver of PostgreSQL keeps nothing prepared on the server. */
    void keepNothingPrepared() throws SQLException {
        prepareThreshold = PreparedStatements.keepFrom(connection, 0);
        prepared = Prepared.NOTHING;
    }

    /** Runs {@code work}, each of whose statements commits by itself. */
    <T> T committing(Work<T> work) throws SQLException {
        try {
            commitEach();
            return work.on(connection);
        } catch (SQLException e) {
            failed(e);
            throw e;
        }
    }

    /** From now on each statement commits by itself. */
    void commitEach() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
    }

    /** Runs {@code work} and commits, or rolls back. */
    <T> T transaction(Work<T> work) throws SQLException {
        try {
            if (connection.getAutoCommit()) {
                connection.setAutoCommit(false);
            }
            T result = work.on(connection);
            connection.commit();
            return result;
        } catch (SQLException e) {
            failed(e);
            rollBack(e);
            throw e;
        } catch (RuntimeException e) {
            rollBack(e);
            throw e;
        }
    }

    private void rollBack(Exception cause) {
        if (health == Health.BROKEN) {
            return; // aborting does that too, and waits for nobody
        }
        try {
            connection.rollback();
        } catch (SQLException again) {
            cause.addSuppressed(again);
            health = Health.BROKEN;
        }
    }

    /** To be told of whatever failed elsewhere, before this is closed. */
    void failed(SQLException cause) {
        if (SqlErrors.breaksConnection(cause)) {
            health = Health.BROKEN;
        }
    }

    /** Gives the connection back as it came, or closes it for good when it is not to be trusted any more. */
    @Override
    public void close() {
        if (!limit.end()) {
            health = Health.BROKEN;
        }
        try (Connection returned = connection) {
            if (health == Health.WELL) {
                restore();
            } else {
                returned.abort(Runnable::run);
            }
        } catch (SQLException e) {
            // What was done is done, and its caller has to know that rather than this. The pool looks after the rest.
            health = Health.BROKEN;
        }
    }

    private void restore() throws SQLException {
        try {
            if (connection.getAutoCommit() != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
            if (network == Network.LIMITED) {
                setNetworkTimeout(networkTimeout);
            }
            if (prepared == Prepared.NOTHING) {
                PreparedStatements.keepFrom(connection, prepareThreshold);
            }
        } catch (SQLException e) {
            connection.abort(Runnable::run);
        }
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
}
