package io.tenure.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** MariaDB and MySQL, whose locks are granted in the order in which they were asked for. */
final class MariaFenceSql extends FenceSql {
    private final String raise;
    private final String read;

    MariaFenceSql(String table) {
        super(table, "LOCK IN SHARE MODE");
        raise = "INSERT INTO " + table + " (name, part, token) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE token ="
                + " GREATEST(token, ?)";
        read = "SELECT token FROM " + table + " WHERE name = ? AND part = ?";
    }

    @Override
    String howToFindBlockers() {
        return "in information_schema.INNODB_TRX, among those with an old trx_started; KILL trx_mysql_thread_id ends it,"
                + " idle_transaction_timeout (MariaDB) keeps it from lasting";
    }

    /** Drivers count time-outs of statements in seconds. */
    @Override
    Duration patience() {
        return Duration.ofSeconds(1);
    }

    @Override
    void setName(PreparedStatement statement, int index, String name) throws SQLException {
        statement.setBytes(index, name.getBytes(UTF_8));
    }

    /**
     * Two statements that commit by themselves: a transaction around them would keep the locks of the gaps that it meets.
     * How many rows the first one changed depends on settings of the driver, so it is asked where the part stands.
     */
    @Override
    long raise(OwnConnection own, String part, String name, long token, Duration wait) throws SQLException {
        return own.committing(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(raise)) {
                statement.setQueryTimeout((int) Math.max(1, wait.toSeconds()));
                setName(statement, 1, name);
                statement.setString(2, part);
                statement.setLong(3, token);
                statement.setLong(4, token);
                statement.executeUpdate();
            }
            try (PreparedStatement statement = connection.prepareStatement(read)) {
                setName(statement, 1, name);
                statement.setString(2, part);
                return only(statement);
            }
        });
    }
}
