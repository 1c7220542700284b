package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.LeaseServer;
import io.tenure.testkit.TotalLossContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbTotalLossContractTest extends TotalLossContract<LeaseServer.LosesAll> {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.MARIADB);

    @Override
    protected ContractServer openServer() {
        return new ContractServer(stores);
    }
}
