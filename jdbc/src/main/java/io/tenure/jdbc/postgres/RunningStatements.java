package io.tenure.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Statements that PostgreSQL is running. Names types of the driver, which is the user's and may be missing: whoever uses this
 * reckons with a {@link LinkageError}. Without state, and so thread-safe.
 */
public final class RunningStatements {
    private RunningStatements() {}

    /**
     * Asks the server to give up what {@code statement} runs; blocks until the server has heard it, for ten seconds at most by
     * the driver's defaults. The connection is asked rather than the statement: a statement that is being cancelled waits
     * for that also when its own time is over, and a server that says nothing would keep it.
     */
    public static void giveUp(Statement statement) throws SQLException {
        Connection connection = statement.getConnection();
        if (connection.isWrapperFor(PGConnection.class)) {
            connection.unwrap(PGConnection.class).cancelQuery();
        } else {
            statement.cancel();
        }
    }
}
