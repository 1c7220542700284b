package io.tenure.redis.topology;

import io.tenure.redis.ContractServer;
import io.tenure.testkit.ForeignLeaseContract;
import io.tenure.testkit.LeaseServer;
import io.tenure.testkit.LeaseStoreContract;
import io.tenure.testkit.RetentionContract;
import io.tenure.testkit.WakeupContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contracts that never empty a server, and spend most of their time waiting: many at a time on the same servers. */
abstract class TimedContracts {
    abstract ContractServer servers();

    /** How much later they may be told who stand behind a waiter that is gone. */
    Duration passingOver() {
        return Duration.ZERO;
    }

    @Nested
    class Store extends LeaseStoreContract {
        @Override
        protected LeaseServer openServer() {
            return servers();
        }
    }

    @Nested
    class Wakeups extends WakeupContract {
        @Override
        protected Duration passingOver() {
            return TimedContracts.this.passingOver();
        }

        @Override
        protected LeaseServer openServer() {
            return servers();
        }
    }

    /** What is kept for how long is the scripts' matter, and proven over one client in every build. */
    @Nested
    @Tag("nightly")
    class Retention extends RetentionContract {
        @Override
        protected ContractServer openServer() {
            return servers();
        }
    }

    @Nested
    class ForeignLeases extends ForeignLeaseContract {
        @Override
        protected ContractServer openServer() {
            return servers();
        }
    }
}
