package io.tenure.jdbc.fence;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresFenceContractTest extends FenceContractBench {
    @RegisterExtension
    static final SqlDatabase DATABASE = SqlDatabase.on(Product.POSTGRESQL);

    @Override
    SqlDatabase database() {
        return DATABASE;
    }
}
