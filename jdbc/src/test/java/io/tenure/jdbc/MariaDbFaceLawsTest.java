package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.faces.BodyLaws;
import io.tenure.testkit.faces.LockLaws;
import io.tenure.testkit.faces.Stage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One after another: each listens to what no thread of the process catches. */
class MariaDbFaceLawsTest {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.MARIADB);

    @Nested
    @Tag("nightly")
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
