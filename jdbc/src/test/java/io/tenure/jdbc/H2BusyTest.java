package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import org.junit.jupiter.api.extension.RegisterExtension;

/** There is no network in between, but pools and locks there are. */
class H2BusyTest extends BusyCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.H2);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    String quoted(String identifier) {
        return "\"" + identifier + "\"";
    }

    @Override
    String named(String name) {
        return "CAST('" + name + "' AS VARBINARY)";
    }
}
