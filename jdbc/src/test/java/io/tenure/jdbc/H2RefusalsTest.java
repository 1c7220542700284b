package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class H2RefusalsTest extends RefusalCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.H2);

    @TempDir
    private Path folder;

    @Override
    SqlDatabase database() {
        return database;
    }

    /** The settings in the usual address are for its owner only. */
    @Override
    DataSource dataSourceOf(String user, String password) {
        return at(database.url().split(";", 2)[0], user, password);
    }

    private static JdbcDataSource at(String url, String user, String password) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url);
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    @Override
    String quoted() {
        return "\"tenure_lease\"";
    }

    @Override
    void makeUser(String user, String password) throws SQLException {
        database.execute(
                "CREATE USER " + user + " PASSWORD '" + password + "'", "GRANT SELECT ON " + quoted() + " TO " + user);
    }

    @Override
    void dropUser(String user) throws SQLException {
        database.execute("DROP USER " + user);
    }

    @Override
    DataSource ofDatabase(String name) {
        return at("jdbc:h2:mem:" + name + ";IFEXISTS=TRUE", database.admin(), database.adminPassword());
    }

    /** A connection cannot be made so here; a database can. */
    @Override
    DataSource readOnly() {
        String url = "jdbc:h2:" + folder.resolve("leases");
        try (JdbcLeaseStore store = JdbcLeaseStore.over(at(url, "sa", ""))) {
            store.createSchema();
        }
        return at(url + ";ACCESS_MODE_DATA=r", "sa", "");
    }
}
