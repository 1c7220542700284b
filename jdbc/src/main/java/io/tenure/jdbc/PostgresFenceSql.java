package io.tenure.jdbc;

import io.tenure.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** PostgreSQL. Shared locks overtake a waiting claim here, so a token that is announced to be stale must not take one. */
final class PostgresFenceSql extends FenceSql {
    /** What no number looks like: to cast it fails, and the message quotes it. */
    private static final String REFUSED = "refused by the fence";

    private static final String NO_NUMBER = "22P02";

    /** On a line of its own: the caller's statement may end in a comment. */
    private static final String COMMIT = "\n; COMMIT";

    private final String raise;
    private final String guard;
    private final String blocker;
    private final String blockers;

    PostgresFenceSql(String table) {
        super(table, "FOR SHARE");
        raise = "INSERT INTO " + table + " AS f (name, part, token) VALUES (?, ?, ?) ON CONFLICT (name, part)"
                + " DO UPDATE SET token = greatest(f.token, excluded.token) RETURNING token";
        guard = "WITH fence AS MATERIALIZED (SELECT token FROM " + table
                + " WHERE name = ? AND part = 'mark' AND NOT EXISTS"
                + " (SELECT 1 FROM " + table + " WHERE name = ? AND part = 'announced' AND token > ?) FOR SHARE)"
                + " SELECT CAST(CASE WHEN (SELECT token FROM fence) = ? THEN '1' ELSE '" + REFUSED
                + "' END AS integer);"; // and no blank, which would be counted in positions that are told of
        String people = "SELECT string_agg(format('pid %s (%s, %s, since %s)', a.pid, a.application_name, a.state,"
                + " a.xact_start), ', ') FROM " + table + " f ";
        blocker = people + "JOIN pg_stat_activity a ON a.backend_xid::text = f.xmax::text"
                + " WHERE f.name = ? AND f.part = 'mark'";
        blockers = people + "CROSS JOIN LATERAL pg_get_multixact_members(f.xmax) m"
                + " JOIN pg_stat_activity a ON a.backend_xid::text = m.xid::text WHERE f.name = ? AND f.part = 'mark'";
    }

    @Override
    String howToFindBlockers() {
        return "in pg_stat_activity, among those with a backend_xid and an old xact_start; pg_terminate_backend(pid) ends it,"
                + " idle_in_transaction_session_timeout keeps it from lasting";
    }

    /** The last transaction that locked the row stands in it, or the number of a group when several share it. */
    @Override
    String blockers(OwnConnection own, String name) throws SQLException {
        return own.committing(connection -> {
            String alone = asked(connection, blocker, name);
            return alone.isEmpty() ? asked(connection, blockers, name) : alone;
        });
    }

    private String asked(Connection connection, String sql, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            setName(statement, 1, name);
            try (ResultSet rows = statement.executeQuery()) {
                String told = rows.next() ? rows.getString(1) : "";
                return told == null ? "" : told;
            }
        }
    }

    @Override
    Duration patience() {
        return Duration.ofMillis(250);
    }

    @Override
    void setName(PreparedStatement statement, int index, String name) throws SQLException {
        statement.setString(index, name);
    }

    @Override
    long raise(OwnConnection own, String part, String name, long token, Duration wait) throws SQLException {
        return own.transaction(connection -> {
            long millis = Math.max(1, wait.toMillis());
            try (Statement statement = connection.createStatement()) {
                // For this transaction only, whatever pool the connection belongs to. The whole statement is bounded
                // too:
                // a row that many share is waited for once for each of them.
                statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = " + millis
                        + "; SET LOCAL statement_timeout = " + 4 * millis);
            }
            try (PreparedStatement statement = connection.prepareStatement(raise)) {
                setName(statement, 1, name);
                statement.setString(2, part);
                statement.setLong(3, token);
                return only(statement);
            }
        });
    }

    /**
     * Check, statement and commit leave together, in a transaction that is begun with them: a check that does not hold
     * fails, nothing is run after it, and what is committed then is nothing. The transaction is not left to the driver, which
     * may tell the server in between that one is over: by default for rows without a bounded length, and with {@code
     * preferQueryMode=simple} always. Nor are rows left at the server, as a default fetch size of the driver would have it:
     * they are gone with the commit.
     *
     * <p>Where a semicolon stands there may be more than one statement, or what the driver takes for one, such as a comment
     * behind it: it loses count of answers then when more follows. Such a text goes alone, once the token has been found current.
     */
    @Override
    long guardedUpdate(OwnConnection own, String name, long token, String sql, @Nullable Object[] arguments)
            throws SQLException {
        if (sql.indexOf(';') >= 0) {
            return updateAfterTheCheck(own, name, token, sql, arguments);
        }
        try {
            return own.transaction(connection -> {
                try (PreparedStatement statement = own.prepare(guard + sql + COMMIT)) {
                    statement.setFetchSize(0);
                    setName(statement, 1, name);
                    setName(statement, 2, name);
                    statement.setLong(3, token);
                    statement.setLong(4, token);
                    setArguments(statement, 5, arguments);
                    statement.execute();
                    return rows(statement, statement.getMoreResults());
                } catch (SQLException e) {
                    throw recounted(connection, sql, arguments, e);
                }
            });
        } catch (SQLException e) {
            if (NO_NUMBER.equals(e.getSQLState())
                    && String.valueOf(e.getMessage()).contains(REFUSED)) {
                throw refused(own, name, token);
            }
            throw e;
        }
    }

    private long updateAfterTheCheck(
            OwnConnection own, String name, long token, String sql, @Nullable Object[] arguments) throws SQLException {
        return own.transaction(connection -> {
            FenceCheck.require(connection, this, name, token);
            try (PreparedStatement statement = own.prepare(sql)) {
                setArguments(statement, 1, arguments);
                return rows(statement, statement.execute());
            } catch (SQLException e) {
                throw recounted(connection, sql, arguments, e);
            }
        });
    }

    private RuntimeException refused(OwnConnection own, String name, long token) {
        try {
            return own.committing(connection -> FenceCheck.refused(connection, this, name, token));
        } catch (SQLException e) {
            return StoreException.passing(
                    "The fence refused token " + token + " of '" + name
                            + "', and nothing was written. By which one it is stale"
                            + " was not to be found out: the connection was lost. Retry, or ask for the lease",
                    e);
        }
    }

    /** The driver's own timer serves all databases of the process, one after the other, and one that hangs holds it up. */
    @Override
    OwnConnection.Limit limit(Duration time, StatementWatch watch) {
        return watch.begin();
    }

    /** How many were changed or returned from the present result on, which is one of rows or else a count. */
    private static long rows(PreparedStatement statement, boolean areThere) throws SQLException {
        long rows = 0;
        for (boolean more = areThere; more || statement.getUpdateCount() >= 0; more = statement.getMoreResults()) {
            rows += more ? returned(statement) : statement.getUpdateCount();
        }
        return rows;
    }

    private static long returned(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.getResultSet()) {
            long rows = 0;
            while (result.next()) {
                rows++;
            }
            return rows;
        }
    }
}
