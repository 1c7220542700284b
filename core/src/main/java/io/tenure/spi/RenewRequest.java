package io.tenure.spi;

import java.time.Duration;
import java.util.Objects;

/**
 * One extension of a lease, by {@code ttl} from the moment at which the store decides.
 *
 * @param claim the whole claim, token included
 * @param kind what the lease is for
 * @param ttl the new lifetime, in whole milliseconds
 */
public record RenewRequest(Claim claim, LeaseKind kind, Duration ttl) {
    public RenewRequest {
        Objects.requireNonNull(claim, "claim");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(ttl, "ttl");
    }
}
