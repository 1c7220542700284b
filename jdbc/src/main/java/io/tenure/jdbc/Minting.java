package io.tenure.jdbc;

import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.Tokens;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.StoreListener;
import java.time.Duration;

/** What new tokens are counted from, and for how long they are kept. Thread-safe. */
record Minting(JdbcStoreOptions options, StoreListener warnings) {
    /** A clock beyond this is broken, and would soon leave no room for tokens. */
    private static final long SANE_MICROS = 1L << 52;

    /** Clocks up to here take part; none does where tokens come from the counter alone. */
    long saneMicros() {
        return options.tokens() == TokenSource.STORE_CLOCK ? SANE_MICROS : -1;
    }

    long keepMillis(LeaseKind kind, Duration ttl) {
        return options.retentionMillis(kind, ttl);
    }

    /**
     * The token above {@code highest} and the clock.
     *
     * @throws StoreException when there is none left
     */
    long above(String name, long highest, long micros) {
        long top = Math.max(highest, micros <= saneMicros() ? micros : 0);
        requireRoom(name, top);
        return top + 1;
    }

    /** Tells of a clock that was of no use for a token that was minted. */
    void check(long micros) {
        if (options.tokens() == TokenSource.STORE_CLOCK && micros > SANE_MICROS) {
            warnings.report(new TenureEvent.StoreWarning("The database's clock reads " + micros
                    + " us, which cannot be: tokens are counted without it. Set the clock right."));
        }
    }

    /** @throws StoreException when there is no token left above {@code highest} */
    static void requireRoom(String name, long highest) {
        if (highest >= Tokens.LIMIT - 1) {
            throw StoreException.permanent("The tokens of '" + name + "' are used up: the next one after " + highest
                    + " would not be below 2^53. Nothing was written. Use another name.");
        }
    }
}
