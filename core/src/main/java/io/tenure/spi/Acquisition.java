package io.tenure.spi;

import io.tenure.LeaseRecord;
import java.util.Objects;
import java.util.OptionalLong;

/** A store's answer to a {@link LeaseRequest}. */
public sealed interface Acquisition {

    /**
     * The lease is the contender's.
     *
     * @param token its token
     * @param regressedTo where the store's counter stood when it was found below what the contender knew: data had been
     *     lost, and is healed by this grant. Empty otherwise, and on a name that the contender knew nothing of
     */
    record Granted(long token, OptionalLong regressedTo) implements Acquisition {
        public Granted {
            Objects.requireNonNull(regressedTo, "regressedTo");
        }
    }

    /**
     * Somebody has it.
     *
     * @param current who, by which token and for how long
     * @param place the contender's place in the line of waiters, from 1; 0 when it is not in it
     */
    record Denied(LeaseRecord current, int place) implements Acquisition {
        public Denied {
            Objects.requireNonNull(current, "current");
        }
    }
}
