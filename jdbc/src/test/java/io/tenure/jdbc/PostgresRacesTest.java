package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresRacesTest extends RaceCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.POSTGRESQL);

    @Override
    SqlDatabase database() {
        return database;
    }
}
