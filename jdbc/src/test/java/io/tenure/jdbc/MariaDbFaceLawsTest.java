package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbFaceLawsTest extends FaceCases {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.MARIADB);

    @Override
    PooledStores stores() {
        return stores;
    }
}
