package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.LeaseServer;
import io.tenure.testkit.WakeupContract;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresWakeupContractTest extends WakeupContract {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    @Override
    protected LeaseServer openServer() {
        return new ContractServer(stores);
    }

    /** Who is gone is not known before it does not ask. */
    @Override
    protected Duration passingOver() {
        return Duration.ofMillis(50);
    }
}
