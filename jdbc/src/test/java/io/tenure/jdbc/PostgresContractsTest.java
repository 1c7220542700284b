package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.LeaseServer;
import io.tenure.testkit.LeaseStoreContract;
import io.tenure.testkit.RetentionContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** In parallel: they wait in real time. */
class PostgresContractsTest {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

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
}
