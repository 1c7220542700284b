package io.tenure.spi;

import java.util.Objects;

/**
 * What proves a hold to a store.
 *
 * @param name the canonical name of the lease
 * @param holder the id of the holder
 * @param incarnation the random id that the holder's {@code Tenure} drew when it was opened; never contains {@code #}
 *     or {@code -}
 * @param attempt the number of the attempt, from 1, rising within the incarnation for each holder and name
 * @param token the fencing token; 0 when it is not known, since the attempt was not answered
 */
public record Claim(String name, String holder, String incarnation, long attempt, long token) {
    public Claim {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(incarnation, "incarnation");
    }

    /** This claim with the token that the store granted. */
    public Claim withToken(long granted) {
        return new Claim(name, holder, incarnation, attempt, granted);
    }
}
