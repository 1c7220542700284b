package io.tenure.jdbc.fence;

import io.tenure.jdbc.servers.PgBouncer;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("pgbouncer")
class PgBouncerFenceContractTest extends FenceContractBench {
    @RegisterExtension
    @Order(1)
    static final PgBouncer BOUNCER = PgBouncer.withSessions(2);

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
}
