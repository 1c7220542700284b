package io.tenure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Makes tables that are to be there, also when several make them at once. Without state. */
final class SchemaMaker {
    private static final int ATTEMPTS = 5;

    private SchemaMaker() {}

    /**
     * Runs statements that do nothing when what they make is there.
     *
     * @param connection with auto-commit on
     * @param table what they make, as statements name it. For whoever may not make it, it is enough that it is there:
     *     databases look for the right first
     */
    static void make(Connection connection, String table, List<String> statements) throws SQLException {
        try {
            for (String sql : statements) {
                make(connection, sql);
            }
        } catch (SQLException e) {
            if (SqlFault.of(e) != SqlFault.NO_RIGHT || !isThere(connection, table, e)) {
                throw e;
            }
        }
    }

    private static boolean isThere(Connection connection, String table, SQLException refusal) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 FROM " + table + " WHERE 1 = 0");
            return true;
        } catch (SQLException e) {
            refusal.addSuppressed(e);
            return false;
        }
    }

    /**
     * On PostgreSQL and H2 such a statement fails when somebody else makes the same at that moment, by one of several codes.
     * Run again, it finds it made. What fails for another reason does so again, and that reason is what is told.
     */
    private static void make(Connection connection, String sql) throws SQLException {
        SQLException first = null;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                return;
            } catch (SQLException e) {
                if (first == null) {
                    first = e;
                }
            }
        }
        throw first;
    }
}
