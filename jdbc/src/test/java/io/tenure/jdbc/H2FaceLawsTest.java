package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import org.junit.jupiter.api.extension.RegisterExtension;

class H2FaceLawsTest extends FaceCases {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.H2);

    @Override
    PooledStores stores() {
        return stores;
    }
}
