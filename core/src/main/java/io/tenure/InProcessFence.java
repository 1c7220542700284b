package io.tenure;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A mark within this process, for services that receive tokens from their callers (by RPC, say) and guard state of their
 * own. Thread-safe, lock-free. The mark does not survive the process: a service that keeps its state elsewhere must
 * check the token there.
 *
 * <p>The rule is that of M. Kleppmann, "How to do distributed locking" (2016): a resource accepts a token only when it
 * has not accepted a higher one.
 */
public final class InProcessFence implements Fence {
    private final String name;
    private final AtomicLong mark = new AtomicLong();

    /**
     * A fence without a mark, which admits whatever valid token comes first.
     *
     * @param name what it is called in messages: the name of the lease whose tokens it checks
     */
    public InProcessFence(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Accepts {@code token} and raises the mark to it. The check alone does not make what follows atomic with it: a caller
     * that must not be overtaken between the two holds its own lock around both.
     *
     * @throws StaleTokenException when a higher token was accepted before, or {@code token} is below 1 or not below 2^53
     */
    public void admit(long token) {
        Tokens.requireValid(name, token, mark.get());
        long seen = mark.getAndAccumulate(token, Math::max);
        if (seen > token) {
            throw new StaleTokenException(name, token, seen);
        }
    }

    /**
     * As {@link #admit}.
     *
     * @throws StaleTokenException as {@link #admit}
     */
    @Override
    public void claim(long token) {
        admit(token);
    }

    /** The highest token accepted so far; 0 when there was none. */
    public long mark() {
        return mark.get();
    }
}
