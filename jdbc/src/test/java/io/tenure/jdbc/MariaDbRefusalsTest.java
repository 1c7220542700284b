package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mariadb.jdbc.MariaDbDataSource;

class MariaDbRefusalsTest extends RefusalCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.MARIADB);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    String quoted() {
        return "tenure_lease";
    }

    @Override
    void makeUser(String user, String password) throws SQLException {
        database.execute(
                "CREATE USER " + user + "@'%' IDENTIFIED BY '" + password + "'",
                "GRANT SELECT ON tenure_lease TO " + user + "@'%'");
    }

    @Override
    void dropUser(String user) throws SQLException {
        database.execute("DROP USER " + user + "@'%'");
    }

    @Override
    DataSource ofDatabase(String name) throws SQLException {
        MariaDbDataSource source = new MariaDbDataSource(database.url().replaceAll("/[^/]*$", "/" + name));
        source.setUser(database.admin());
        source.setPassword(database.adminPassword());
        return source;
    }

    @Override
    DataSource readOnly() throws SQLException {
        return Wrapped.each(database.dataSource(), connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET SESSION TRANSACTION READ ONLY");
            }
        });
    }
}
