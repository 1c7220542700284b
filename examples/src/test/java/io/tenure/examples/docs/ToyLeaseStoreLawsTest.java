package io.tenure.examples.docs;

import io.tenure.spi.LeaseStore;
import io.tenure.testkit.LeaseServer;
import io.tenure.testkit.LeaseStoreContract;
import java.time.Duration;

/** The code of docs/writing-a-store.md is a store: it keeps the contract. */
// tag::contract
class ToyLeaseStoreLawsTest extends LeaseStoreContract {
    @Override
    protected LeaseServer openServer() {
        return new ToyServer();
    }

    private static final class ToyServer implements LeaseServer {
        private final ToyDatabase database = new ToyDatabase();

        @Override
        public LeaseStore connect() {
            return new ToyLeaseStore(database);
        }

        @Override
        public void elapse(Duration span) {
            database.moveClock(span.toMillis());
        }

        @Override
        public Duration shortTtl() {
            return Duration.ofSeconds(1);
        }
    }
}
// end::contract
