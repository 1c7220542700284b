package io.tenure.jdbc;

import io.tenure.jdbc.servers.PgBouncer;
import io.tenure.jdbc.servers.Product;
import io.tenure.spi.LeaseStore;
import io.tenure.testkit.LeaseServer;
import io.tenure.testkit.LeaseStoreContract;
import io.tenure.testkit.RetentionContract;
import io.tenure.testkit.WakeupContract;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Behind PgBouncer, where no two calls need have the same session of the server. In parallel: they wait in real time. */
@Tag("pgbouncer")
class PgBouncerContractsTest {
    @RegisterExtension
    @Order(1)
    static final PgBouncer bouncer = PgBouncer.withSessions(3);

    @RegisterExtension
    @Order(2)
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL, bouncer::dataSource);

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Leases extends LeaseStoreContract {
        @Override
        protected LeaseServer openServer() {
            return new ContractServer(stores);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Retention extends RetentionContract {
        @Override
        protected ContractServer openServer() {
            return new ContractServer(stores);
        }
    }

    /** Listening goes past it. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Pushes extends WakeupContract {
        @Override
        protected LeaseServer openServer() {
            return new Listening(new ContractServer(stores));
        }

        @Override
        protected Duration passingOver() {
            return Duration.ofMillis(50);
        }
    }

    private record Listening(ContractServer server) implements LeaseServer {
        @Override
        public LeaseStore connect() {
            try {
                return stores.store(JdbcStoreOptions.builder()
                        .listenOn(stores.database().dataSource())
                        .build());
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void elapse(Duration span) {
            server.elapse(span);
        }

        @Override
        public Duration shortTtl() {
            return server.shortTtl();
        }
    }
}
