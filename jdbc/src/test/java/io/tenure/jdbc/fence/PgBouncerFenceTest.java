package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.jdbc.servers.PgBouncer;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The laws of fences behind PgBouncer, after each of which nothing is left on any session of the server. */
@Tag("pgbouncer")
class PgBouncerFenceTest extends SharedLockLaws {
    @RegisterExtension
    @Order(1)
    static final PgBouncer BOUNCER = PgBouncer.withSessions(4);

    @RegisterExtension
    @Order(2)
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @Override
    SqlDatabase database() {
        return POSTGRES;
    }

    @Override
    DataSource source() throws SQLException {
        return BOUNCER.dataSource(POSTGRES);
    }

    @AfterEach
    @Override
    void close() throws SQLException {
        super.close();
        assertThat(BOUNCER.leftOnSessions(POSTGRES)).isEmpty();
    }
}
