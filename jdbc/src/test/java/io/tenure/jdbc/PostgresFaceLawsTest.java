package io.tenure.jdbc;

import io.tenure.jdbc.servers.Product;
import io.tenure.testkit.faces.BodyLaws;
import io.tenure.testkit.faces.ClaimLaws;
import io.tenure.testkit.faces.DrainLaws;
import io.tenure.testkit.faces.ElectorLaws;
import io.tenure.testkit.faces.EventLaws;
import io.tenure.testkit.faces.LockLaws;
import io.tenure.testkit.faces.Stage;
import io.tenure.testkit.faces.TenureLaws;
import io.tenure.testkit.faces.TermLaws;
import io.tenure.testkit.faces.WaitLaws;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One after another: each listens to what no thread of the process catches. */
class PostgresFaceLawsTest {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    @Nested
    class Bodies extends BodyLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }

    @Nested
    class Claims extends ClaimLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }

    @Nested
    @Tag("nightly")
    class Drains extends DrainLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }

    @Nested
    @Tag("nightly")
    class Events extends EventLaws {
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

    @Nested
    @Tag("nightly")
    class Tenures extends TenureLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }

    @Nested
    class Electors extends ElectorLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }

    @Nested
    @Tag("nightly")
    class Terms extends TermLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }

    @Nested
    class Waits extends WaitLaws {
        @Override
        protected Stage openStage() {
            return stores.stage();
        }
    }
}
