package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.faces.BodyLaws;
import io.tenure.testkit.faces.LockLaws;
import io.tenure.testkit.faces.Stage;
import io.tenure.testkit.faces.TenureLaws;
import io.tenure.testkit.faces.WaitLaws;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What has to do with locks, where callers ask the database themselves. */
class PostgresCallersFaceLawsTest {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Bodies extends BodyLaws {
        @Override
        protected Stage openStage() {
            return stores.stage(CallThread.CALLER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Locks extends LockLaws {
        @Override
        protected Stage openStage() {
            return stores.stage(CallThread.CALLER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Tenures extends TenureLaws {
        @Override
        protected Stage openStage() {
            return stores.stage(CallThread.CALLER);
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Waits extends WaitLaws {
        @Override
        protected Stage openStage() {
            return stores.stage(CallThread.CALLER);
        }
    }
}
