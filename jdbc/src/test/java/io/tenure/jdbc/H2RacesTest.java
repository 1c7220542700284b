package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2RacesTest extends RaceCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.H2);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    String quoted(String table) {
        return "\"" + table + "\"";
    }

    @Override
    void makeSchema(String name) throws SQLException {
        super.makeSchema("\"" + name + "\"");
    }

    @Override
    void dropSchema(String name) throws SQLException {
        super.dropSchema("\"" + name + "\"");
    }
}
