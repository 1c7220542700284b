package io.tenure;

/** What a store counts a new token up from, besides the highest one that it or the contender knows. */
public enum TokenSource {
    /**
     * The store's clock, in microseconds; the default. Tokens keep rising when the store has lost its data (a flush, an
     * eviction, a crash without persistence), unless its clock was set back meanwhile.
     */
    STORE_CLOCK,
    /**
     * Nothing: 1, 2, 3 and so on. After a loss of data tokens are only as high as a live contender remembers, which is why
     * counters and marks are then kept for ever.
     */
    COUNTER
}
