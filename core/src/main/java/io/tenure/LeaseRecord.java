package io.tenure;

import java.time.Duration;
import java.util.Objects;

/**
 * A lease as somebody saw it. A snapshot: by the time it is read, it may be over.
 *
 * @param name the name of the lease, in the store's canonical form
 * @param holder the id of its holder; for a lease that was not taken by Tenure, the whole value found
 * @param incarnation the incarnation of the holder; empty for a lease that was not taken by Tenure
 * @param attempt the number of the attempt that took it; 0 for a lease that was not taken by Tenure
 * @param token its fencing token; 0 when the store has none for it
 * @param remaining how long it would have lasted without a renewal, when it was seen; never negative
 * @param age how long ago it was seen; zero when fresh from the store
 */
public record LeaseRecord(
        String name, String holder, String incarnation, long attempt, long token, Duration remaining, Duration age) {

    public LeaseRecord {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(incarnation, "incarnation");
        Objects.requireNonNull(remaining, "remaining");
        Objects.requireNonNull(age, "age");
    }

    /** A record fresh from the store. */
    public static LeaseRecord of(
            String name, String holder, String incarnation, long attempt, long token, Duration remaining) {
        return new LeaseRecord(name, holder, incarnation, attempt, token, remaining, Duration.ZERO);
    }

    /** The same sighting, told {@code age} after it was made. */
    public LeaseRecord seenBefore(Duration age) {
        return new LeaseRecord(name, holder, incarnation, attempt, token, remaining, age);
    }

    /** Whether the lease was taken by Tenure, so that its release wakes a waiter. */
    public boolean isOurs() {
        return !incarnation.isEmpty();
    }
}
