package io.tenure.jdbc;

import io.tenure.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** What SQL a database speaks. */
public enum Dialect {
    /** PostgreSQL 13 and later. */
    POSTGRESQL,
    /** MariaDB 10.6 and later, and MySQL 8. */
    MARIADB,
    /** H2 2. */
    H2;

    /**
     * Finds out which database is at the other end. Asks the driver, which knows since it connected: no statement is sent.
     *
     * @throws SQLException when the connection is closed, or what the driver throws
     * @throws IllegalArgumentException when it is none of these, naming it
     */
    public static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "mariadb", "mysql" -> MARIADB;
            case "h2" -> H2;
            default ->
                throw new IllegalArgumentException("'" + product
                        + "' is no database that Tenure has statements for: PostgreSQL, MariaDB, MySQL and H2 are");
        };
    }

    /** The same, with a failure that a store may tell for that it is none of these. */
    static Dialect known(Connection connection) throws SQLException {
        try {
            return of(connection);
        } catch (IllegalArgumentException e) {
            throw StoreException.permanent(String.valueOf(e.getMessage()), e);
        }
    }
}
