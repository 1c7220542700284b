package io.tenure.memory;

import io.tenure.LeaseRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything that is kept for one name. Guarded by the lock of the {@link MemoryServer}. */
final class Slot {
    final String name;
    final Line line = new Line();

    @Nullable
    Holding lease;
    /** The last token that was minted; 0 when it is missing. */
    long counter;
    /** The highest token that the resource has accepted; 0 when it is missing. */
    long mark;

    private @Nullable Long keepTokensUntil;
    private boolean keepTokensForEver;

    Slot(String name) {
        this.name = name;
    }

    /** Drops what has expired; to be called before anything is read. */
    Slot asOf(long now) {
        if (lease != null && lease.isOver(now)) {
            lease = null;
        }
        if (!keepTokensForEver && keepTokensUntil != null && now - keepTokensUntil >= 0) {
            counter = 0;
            mark = 0;
            keepTokensUntil = null;
        }
        return this;
    }

    boolean isEmpty(long now) {
        return lease == null && counter == 0 && mark == 0 && line.isEmpty(now);
    }

    long tokens() {
        return Math.max(counter, mark);
    }

    /** Stands at {@code token} and refuses every lower one from now on. */
    void stampTo(long token) {
        counter = Math.max(counter, token);
        mark = Math.max(mark, token);
    }

    void keepTokensForEver() {
        keepTokensForEver = true;
    }

    /** Keeps the tokens of an operation at least until then; those of a role stay for ever. */
    void keepTokensUntil(long until) {
        if (keepTokensUntil == null || until - keepTokensUntil > 0) {
            keepTokensUntil = until;
        }
    }

    Optional<LeaseRecord> seen(long now) {
        return Optional.ofNullable(lease).map(held -> held.seen(name, now));
    }
}
