package io.tenure.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** H2, which has no shared locks of rows: transactions of one leader wait for each other at the fence. */
final class H2FenceSql extends FenceSql {
    private static final String DUPLICATE = "23505";

    private final String lock;
    private final String insert;
    private final String update;

    H2FenceSql(String table) {
        super(table, "FOR UPDATE");
        lock = "SELECT token FROM " + table + " WHERE name = ? AND part = ? FOR UPDATE NOWAIT";
        insert = "INSERT INTO " + table + " (token, name, part) VALUES (?, ?, ?)";
        update = "UPDATE " + table + " SET token = ? WHERE name = ? AND part = ?";
    }

    @Override
    String howToFindBlockers() {
        return "in INFORMATION_SCHEMA.SESSIONS, by BLOCKER_ID; ABORT_SESSION(id) ends it";
    }

    /** Short, since it is asked again rather than waited for: what waits for a lock in H2 loses an interrupt. */
    @Override
    Duration patience() {
        return Duration.ofMillis(10);
    }

    /** It would keep a time-out of one statement for the session. */
    @Override
    void limit(OwnConnection own, Duration time, StatementWatch watch) {}

    @Override
    void setName(PreparedStatement statement, int index, String name) throws SQLException {
        statement.setBytes(index, name.getBytes(UTF_8));
    }

    @Override
    long raise(OwnConnection own, String part, String name, long token, Duration wait) throws SQLException {
        try {
            return raiseNow(own, part, name, token);
        } catch (SQLException e) {
            if (SqlErrors.isBusy(e)) {
                pause(wait);
            }
            throw e;
        }
    }

    private static void pause(Duration wait) {
        try {
            TimeUnit.MILLISECONDS.sleep(wait.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // seen by the claim
        }
    }

    private long raiseNow(OwnConnection own, String part, String name, long token) throws SQLException {
        return own.transaction(connection -> {
            long now = locked(connection, part, name);
            if (now >= token) {
                return now;
            }
            try (PreparedStatement statement = connection.prepareStatement(now < 0 ? insert : update)) {
                statement.setLong(1, token);
                setName(statement, 2, name);
                statement.setString(3, part);
                statement.executeUpdate();
            } catch (SQLException e) {
                throw DUPLICATE.equals(e.getSQLState()) ? insertedMeanwhile(e) : e;
            }
            return token;
        });
    }

    /** As a conflict: the same again finds the row. */
    private static SQLException insertedMeanwhile(SQLException duplicate) {
        return new SQLException(duplicate.getMessage(), "40001", duplicate);
    }

    private long locked(Connection connection, String part, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lock)) {
            setName(statement, 1, name);
            statement.setString(2, part);
            return only(statement);
        }
    }
}
