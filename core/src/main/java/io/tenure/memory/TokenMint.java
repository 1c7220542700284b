package io.tenure.memory;

import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.Tokens;
import io.tenure.spi.StoreListener;

/** Makes the tokens of one store. Guarded by the lock of the {@link MemoryServer}. */
final class TokenMint {
    /** A clock beyond this is broken, and would soon leave no room for tokens. */
    private static final long SANE_MICROS = 1L << 52;

    private final TokenSource source;
    private final long origin;

    /** @param origin what the clock reads when the data is created, in nanoseconds */
    TokenMint(TokenSource source, long origin) {
        this.source = source;
        this.origin = origin;
    }

    boolean usesClock() {
        return source == TokenSource.STORE_CLOCK;
    }

    /**
     * The next token of {@code name}.
     *
     * @param known the highest token that anybody knows of
     * @throws StoreException for good, when there is none left
     */
    long next(String name, long known, long now, StoreListener reports) {
        long micros = usesClock() ? (now - origin) / 1_000 : 0;
        if (micros > SANE_MICROS) {
            reports.report(new TenureEvent.StoreWarning("The store's clock reads " + micros
                    + " us, which cannot be: tokens are counted without it. Set the clock right."));
            micros = 0;
        }
        long highest = Math.max(known, micros);
        if (highest >= Tokens.LIMIT - 1) {
            throw StoreException.permanent("The tokens of '" + name + "' are used up: the next one after " + highest
                    + " would not be below 2^53. Nothing was written. Use another name.");
        }
        return highest + 1;
    }
}
