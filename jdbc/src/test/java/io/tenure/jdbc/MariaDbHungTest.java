package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mariadb.jdbc.MariaDbDataSource;

class MariaDbHungTest extends HungCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.MARIADB);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    DataSource through(int port) throws SQLException {
        MariaDbDataSource source = new MariaDbDataSource(database.url().replaceAll(":\\d+/", ":" + port + "/"));
        source.setUser(database.admin());
        source.setPassword(database.adminPassword());
        return source;
    }
}
