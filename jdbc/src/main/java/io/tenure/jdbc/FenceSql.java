package io.tenure.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a fence in one dialect. A name has two rows. Its <em>mark</em> is locked by whoever requires it, shared
 * where the database can, and raised by a claim, which thereby waits for all of them. New ones could overtake a waiting claim
 * for ever, so it raises the <em>announced</em> token first, which nobody locks: a lower token is refused from then on,
 * without a lock. That announcement is only for the sake of getting through; what keeps a stale write out is the mark.
 * Thread-safe.
 */
abstract class FenceSql {
    static final String ANNOUNCED = "announced";
    static final String MARK = "mark";

    /** By which the drivers of PostgreSQL, MariaDB, MySQL and H2 tell that a parameter has no value, or a value none. */
    private static final Set<String> MISCOUNTED = Set.of("22023", "07004", "07001", "S1009", "90008", "90012");

    final String table;
    private final String locked;
    private final String seen;

    FenceSql(String table, String lock) {
        this.table = table;
        // What decides is compared in Java: with the token of the mark in the condition, a transaction that reads from
        // a
        // snapshot would find nothing, which is no proof of anything, instead of a conflict.
        this.locked = "SELECT token FROM " + table + " WHERE name = ? AND part = 'mark' AND NOT EXISTS (SELECT 1 FROM "
                + table + " WHERE name = ? AND part = 'announced' AND token > ?) " + lock;
        this.seen = "SELECT part, token FROM " + table + " WHERE name = ?";
    }

    static FenceSql of(Dialect dialect, String table) {
        return switch (dialect) {
            case POSTGRESQL -> new PostgresFenceSql(table);
            case MARIADB -> new MariaFenceSql(table);
            case H2 -> new H2FenceSql(table);
        };
    }

    /** How to find the transaction that a claim waits for, as the end of a sentence. */
    abstract String howToFindBlockers();

    /** Who holds the mark locked, for people to read; empty when that cannot be told. */
    String blockers(OwnConnection own, String name) throws SQLException {
        return "";
    }

    /** The longest that one {@link #raise} should wait, so that an interrupt is seen in time. */
    abstract Duration patience();

    /**
     * Raises a part to {@code token} unless it is higher, and commits. Waits for locks for about {@code wait}, or less.
     *
     * @return what the part is then
     * @throws SQLException one that {@linkplain SqlErrors#isBusy is busy} after that wait
     */
    abstract long raise(OwnConnection own, String part, String name, long token, Duration wait) throws SQLException;

    /**
     * From now on the server is asked to give up a statement of the caller's after {@code time}, and is given up itself when
     * it says nothing for a while longer. Nothing is sent for that.
     */
    void limit(OwnConnection own, Duration time, StatementWatch watch) throws SQLException {
        own.limitNetwork((int) time.plus(OwnConnection.LAST_WORD).toMillis());
        own.limitStatements(limit(time, watch));
    }

    /** @param watch waits for {@code time} */
    OwnConnection.Limit limit(Duration time, StatementWatch watch) {
        return statement -> statement.setQueryTimeout((int) time.toSeconds());
    }

    /** Puts a name into a statement, as the column has it. */
    abstract void setName(PreparedStatement statement, int index, String name) throws SQLException;

    /** Runs a statement of the caller's, for which {@code token} is required, in a transaction of its own. */
    long guardedUpdate(OwnConnection own, String name, long token, String sql, @Nullable Object[] arguments)
            throws SQLException {
        return own.transaction(connection -> {
            FenceCheck.require(connection, this, name, token);
            try (PreparedStatement statement = own.prepare(sql)) {
                setArguments(statement, 1, arguments);
                return (long) statement.executeUpdate();
            } catch (SQLException e) {
                throw recounted(connection, sql, arguments, e);
            }
        });
    }

    /**
     * The failure of a statement of the caller's; when its arguments are too few or too many it says so. PostgreSQL's driver
     * counts the parameters of the check with them, of which the caller has never heard, and MariaDB's tells of a connection
     * that is lost for a moment.
     */
    static SQLException recounted(
            Connection connection, String sql, @Nullable Object[] arguments, SQLException failure) {
        if (!MISCOUNTED.contains(String.valueOf(failure.getSQLState()))) {
            return failure;
        }
        try (PreparedStatement alone = connection.prepareStatement(sql)) {
            int wanted = alone.getParameterMetaData().getParameterCount();
            if (wanted == arguments.length) {
                return failure;
            }
            // Without a cause, which may be of a type that stands for a connection in trouble.
            SQLException told = new SQLException(
                    "the statement has " + wanted + " '?', and " + arguments.length
                            + " arguments were given: give as many",
                    failure.getSQLState());
            told.addSuppressed(failure);
            return told;
        } catch (SQLException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }

    static void setArguments(PreparedStatement statement, int first, @Nullable Object[] arguments) throws SQLException {
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(first + i, arguments[i]);
        }
    }

    /** The mark, now locked for the transaction; -1 when there is none, or a higher token is announced. */
    final long lockMark(Connection connection, String name, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(locked)) {
            setName(statement, 1, name);
            setName(statement, 2, name);
            statement.setLong(3, token);
            return only(statement);
        }
    }

    /** Where the fence stands at this moment, without a lock. */
    final FenceCheck.Stand stand(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(seen)) {
            setName(statement, 1, name);
            long announced = 0;
            long mark = 0;
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (rows.getString(1).equals(MARK)) {
                        mark = rows.getLong(2);
                    } else {
                        announced = rows.getLong(2);
                    }
                }
            }
            return new FenceCheck.Stand(mark, announced);
        }
    }

    /** The number in the only row; -1 without one. */
    static long only(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getLong(1) : -1;
        }
    }
}
