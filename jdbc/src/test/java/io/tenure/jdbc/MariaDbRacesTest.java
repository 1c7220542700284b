package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbRacesTest extends RaceCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.MARIADB);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    void dropSchema(String name) throws SQLException {
        database.execute("DROP SCHEMA " + name);
    }
}
