package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresHungTest extends HungCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.POSTGRESQL);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    DataSource through(int port) throws SQLException {
        PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
        source.setURL(database.url().replaceAll(":\\d+/", ":" + port + "/"));
        return source;
    }
}
