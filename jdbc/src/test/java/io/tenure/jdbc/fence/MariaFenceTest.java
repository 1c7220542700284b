package io.tenure.jdbc.fence;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaFenceTest extends SharedLockLaws {
    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    @Override
    SqlDatabase database() {
        return MARIA;
    }
}
