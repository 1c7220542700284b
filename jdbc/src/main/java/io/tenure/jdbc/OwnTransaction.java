package io.tenure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** A short transaction on a connection of our own, which is handed back as it was. Without state. */
final class OwnTransaction {
    private OwnTransaction() {}

    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Runs {@code work} and commits, or rolls back. */
    static <T> T run(Connection connection, Work<T> work) throws SQLException {
        return switched(connection, AutoCommit.OFF, own -> {
            try {
                T result = work.on(own);
                own.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                try {
                    own.rollback();
                } catch (SQLException again) {
                    e.addSuppressed(again);
                }
                throw e;
            }
        });
    }

    /** Runs {@code work}, each of whose statements commits by itself. */
    static <T> T committing(Connection connection, Work<T> work) throws SQLException {
        return switched(connection, AutoCommit.ON, work);
    }

    private enum AutoCommit {
        ON,
        OFF
    }

    private static <T> T switched(Connection connection, AutoCommit wanted, Work<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        boolean during = wanted == AutoCommit.ON;
        if (before == during) {
            return work.on(connection);
        }
        connection.setAutoCommit(during);
        T result;
        try {
            result = work.on(connection);
        } catch (SQLException | RuntimeException e) {
            try {
                connection.setAutoCommit(before);
            } catch (SQLException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
        connection.setAutoCommit(before);
        return result;
    }
}
