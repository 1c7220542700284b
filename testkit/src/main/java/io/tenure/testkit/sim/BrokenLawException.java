package io.tenure.testkit.sim;

/** A law was broken in a simulated history. The message has the seed that replays it, and the end of what happened. */
public final class BrokenLawException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long seed;

    BrokenLawException(long seed, String message) {
        super(message);
        this.seed = seed;
    }

    /** What the history was drawn from. */
    public long seed() {
        return seed;
    }
}
