package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DialectTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    @Test
    void every_database_is_known_by_what_its_driver_calls_it() throws SQLException {
        assertThat(dialect(POSTGRES)).isEqualTo(Dialect.POSTGRESQL);
        assertThat(dialect(MARIA)).isEqualTo(Dialect.MARIADB);
        assertThat(dialect(H2)).isEqualTo(Dialect.H2);
    }

    private static Dialect dialect(SqlDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return Dialect.of(connection);
        }
    }
}
