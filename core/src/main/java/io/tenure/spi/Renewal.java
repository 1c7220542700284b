package io.tenure.spi;

import io.tenure.LeaseRecord;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** A store's answer to a {@link RenewRequest}; a failure is the failure of its stage. */
public sealed interface Renewal {

    /**
     * The lease lasts its ttl from when the store decided.
     *
     * @param regressedTo where counter or mark, the lower one, stood when it was found below the claim's token, and was raised
     *     to it again; empty otherwise
     */
    record Renewed(OptionalLong regressedTo) implements Renewal {
        public Renewed {
            Objects.requireNonNull(regressedTo, "regressedTo");
        }
    }

    /**
     * It is not the claimant's any more, or its token is not the current one any more.
     *
     * @param current who has the name now; empty when nobody has
     */
    record Lost(Optional<LeaseRecord> current) implements Renewal {
        public Lost {
            Objects.requireNonNull(current, "current");
        }
    }
}
