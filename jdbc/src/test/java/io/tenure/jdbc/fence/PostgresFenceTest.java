package io.tenure.jdbc.fence;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresFenceTest extends SharedLockLaws {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @Override
    SqlDatabase database() {
        return POSTGRES;
    }
}
