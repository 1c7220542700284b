package io.tenure.jdbc;

import io.tenure.jdbc.postgres.PreparedStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Whether the connections of a data source stay with their session of the server, or something in between changes it with
 * every transaction, as PgBouncer may. The driver of PostgreSQL prepares statements on the session; on the next one such a
 * statement is missing, or is another client's by the same name, and a COMMIT that runs as a BEGIN tells nobody. So where
 * there is something in between, no statement of ours is kept prepared. Found out once, by the first connection. Thread-safe.
 */
final class ServerSessions {
    private volatile Sessions found = Sessions.UNKNOWN;

    private enum Sessions {
        UNKNOWN,
        KEPT,
        CHANGED
    }

    /**
     * Takes a connection. How long that may take is up to the data source.
     *
     * @param patience how long the server may take to answer, when it has to be asked
     * @throws NotSentException when there was none to be had, or the server did not answer
     */
    OwnConnection take(DataSource source, Duration patience) throws NotSentException {
        OwnConnection own = OwnConnection.of(source);
        try {
            if (found == Sessions.UNKNOWN) {
                found = own.briefly(patience, ServerSessions::find);
            }
            if (found == Sessions.CHANGED) {
                own.keepNothingPrepared();
            }
            return own;
        } catch (SQLException e) {
            own.failed(e);
            own.close();
            throw NotSentException.of(e);
        } catch (RuntimeException e) {
            own.close();
            throw e;
        }
    }

    private static Sessions find(Connection connection) throws SQLException {
        try {
            return PreparedStatements.areAtRisk(connection) ? Sessions.CHANGED : Sessions.KEPT;
        } catch (LinkageError e) {
            return Sessions.KEPT; // without that driver nobody prepares anything by it
        }
    }
}
