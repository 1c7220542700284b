package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.LeaseServer;
import io.tenure.testkit.TotalLossContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresTotalLossContractTest extends TotalLossContract<LeaseServer.LosesAll> {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    @Override
    protected ContractServer openServer() {
        return new ContractServer(stores);
    }
}
