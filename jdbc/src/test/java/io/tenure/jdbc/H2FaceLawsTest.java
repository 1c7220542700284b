package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.faces.BodyLaws;
import io.tenure.testkit.faces.LockLaws;
import io.tenure.testkit.faces.Stage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // they wait in real time
class H2FaceLawsTest {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.H2);

    @Nested
    class Bodies extends BodyLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }

    @Nested
    class Locks extends LockLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }
}
