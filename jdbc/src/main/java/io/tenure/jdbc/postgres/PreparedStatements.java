package io.tenure.jdbc.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * The statements that the driver of PostgreSQL keeps prepared on the server, which needs the session that it prepared them
 * on. Names types of the driver, which is the user's and may be missing: whoever uses this reckons with a
 * {@link LinkageError}. Without state, and so thread-safe; a connection is for one thread.
 */
public final class PreparedStatements {
    private PreparedStatements() {}

    /**
     * Whether the driver keeps any, and who answers is not the session that it was given when it connected: something is in
     * between, and may answer by another one after every transaction. Asks the server, if the driver keeps any.
     */
    public static boolean areAtRisk(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return false;
        }
        int threshold = keepFrom(connection, 0);
        try {
            boolean atRisk = threshold != 0 && answersAnother(connection);
            keepFrom(connection, threshold);
            return atRisk;
        } catch (SQLException e) {
            restore(connection, threshold, e);
            throw e;
        }
    }

    private static void restore(Connection connection, int threshold, SQLException failure) {
        try {
            keepFrom(connection, threshold);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private static boolean answersAnother(Connection connection) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement();
                ResultSet answering = statement.executeQuery("SELECT pg_backend_pid()")) {
            answering.next();
            return answering.getInt(1) != driver.getBackendPID();
        }
    }

    /**
     * From which time on the driver keeps a statement of {@code connection}; 0 for never. Those that it keeps already stay.
     *
     * @return what it was before
     */
    public static int keepFrom(Connection connection, int threshold) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        int before = driver.getPrepareThreshold();
        driver.setPrepareThreshold(threshold);
        return before;
    }
}
