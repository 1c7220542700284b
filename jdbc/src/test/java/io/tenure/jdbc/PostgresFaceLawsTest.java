package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.faces.PushLaws;
import io.tenure.testkit.faces.Stage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

class PostgresFaceLawsTest extends FaceCases {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    @Override
    PooledStores stores() {
        return stores;
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Pushes extends PushLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }
}
