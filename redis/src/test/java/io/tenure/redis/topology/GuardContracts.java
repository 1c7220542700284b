package io.tenure.redis.topology;

import io.tenure.redis.ContractServer;
import io.tenure.testkit.DataLossContract;
import io.tenure.testkit.FenceContract;
import org.junit.jupiter.api.Nested;

/** The contracts that empty their servers, and wait for hardly anything: one at a time. */
abstract class GuardContracts {
    abstract ContractServer servers();

    @Nested
    class Fences extends FenceContract {
        @Override
        protected ContractServer openServer() {
            return servers();
        }
    }

    @Nested
    class DataLoss extends DataLossContract {
        @Override
        protected ContractServer openServer() {
            return servers();
        }
    }
}
