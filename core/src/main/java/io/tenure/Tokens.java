package io.tenure;

/**
 * The range of fencing tokens: every number in it is exact as a double too, which is what Lua and JSON count in.
 * Thread-safe, without state.
 */
public final class Tokens {
    /** The first number that is no token any more: 2^53. */
    public static final long LIMIT = 1L << 53;

    private Tokens() {}

    /** Whether {@code token} can have been minted: from 1 to 2^53 - 1. */
    public static boolean isValid(long token) {
        return token > 0 && token < LIMIT;
    }

    /**
     * Refuses a token that cannot have been minted, for the fence {@code name} that stands at {@code mark}.
     *
     * @throws StaleTokenException when {@code token} is below 1 or not below {@link #LIMIT}
     */
    public static void requireValid(String name, long token, long mark) {
        if (!isValid(token)) {
            throw new StaleTokenException(name, token, mark);
        }
    }
}
