package io.tenure.spi;

import java.time.Duration;
import java.util.Objects;

/**
 * One attempt to acquire a lease.
 *
 * @param claim who asks; its token is 0. Asking again with an equal claim is the same attempt
 * @param kind what for
 * @param ttl how long the lease is to last, in whole milliseconds
 * @param floor the highest token of this name that the contender has seen; 0 for none
 * @param takeover which leases of the own id may be replaced
 * @param lineFor when denied, enter the line of waiters, and stay in it for twice this long without being seen again;
 *     zero to stay out of the line
 */
public record LeaseRequest(Claim claim, LeaseKind kind, Duration ttl, long floor, Takeover takeover, Duration lineFor) {
    public LeaseRequest {
        Objects.requireNonNull(claim, "claim");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(ttl, "ttl");
        Objects.requireNonNull(takeover, "takeover");
        Objects.requireNonNull(lineFor, "lineFor");
    }
}
