package io.tenure.benchmarks.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Statements as one writes them without a library. Without state. */
final class Sql {
    private Sql() {}

    /** Runs what makes tables, of which others may have been made already. */
    static void run(DataSource pool, String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("The tables could not be made", e);
        }
    }

    /** One statement on a connection of its own, which has to change one row. */
    static void changeOne(DataSource pool, String sql, Object... arguments) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            changeOne(connection, sql, arguments);
        }
    }

    static void changeOne(Connection connection, String sql, Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            int changed = statement.executeUpdate();
            if (changed != 1) {
                throw new IllegalStateException(changed + " rows were changed instead of one, by " + sql);
            }
        }
    }
}
