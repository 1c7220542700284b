package io.tenure.testkit;

import io.tenure.LeaseRecord;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import java.util.List;

/** A call of a {@link FaultyStore}, as it was made; whether it reached the store is for its {@link Fault} to say. Immutable. */
public sealed interface Call {
    /** Which verb was called. */
    Verb verb();

    /** A call to acquire. */
    record Acquire(LeaseRequest request) implements Call {
        @Override
        public Verb verb() {
            return Verb.ACQUIRE;
        }
    }

    /** A call to renew a batch. */
    record Renew(List<RenewRequest> requests) implements Call {
        public Renew {
            requests = List.copyOf(requests);
        }

        @Override
        public Verb verb() {
            return Verb.RENEW;
        }
    }

    /** A call to release. */
    record Release(ReleaseRequest request) implements Call {
        @Override
        public Verb verb() {
            return Verb.RELEASE;
        }
    }

    /** A call to find one lease. */
    record Find(String name) implements Call {
        @Override
        public Verb verb() {
            return Verb.FIND;
        }
    }

    /** A call to list leases. */
    record Listing(String prefix, int limit) implements Call {
        @Override
        public Verb verb() {
            return Verb.LIST;
        }
    }

    /** A call to release by force. */
    record Evict(LeaseRecord seen) implements Call {
        @Override
        public Verb verb() {
            return Verb.EVICT;
        }
    }
}
