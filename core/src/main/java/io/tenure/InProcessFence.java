package io.tenure;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A mark within this process, for services that receive tokens from their callers (by RPC, say) and guard state of their
 * own. One lock makes a check one step with the write that it allows ({@link #run}), and lets a claim wait for the write
 * under way. Thread-safe.
 *
 * <p>The mark does not survive the process. A service whose state does keeps {@link #mark()} with that state, written in
 * the same step, and starts with {@link #standingAt}: a fence without a mark admits whatever valid token comes first, be it
 * one of long ago. A service that keeps its state where others write too must check the token there.
 *
 * <p>The rule is that of M. Kleppmann, "How to do distributed locking" (2016): a resource accepts a token only when it
 * has not accepted a higher one.
 */
public final class InProcessFence implements Fence {
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written under the lock only. */
    private volatile long mark;

    private InProcessFence(String name, long mark) {
        this.name = Objects.requireNonNull(name, "name");
        this.mark = mark;
    }

    /**
     * A fence without a mark, which admits whatever valid token comes first.
     *
     * @param name what it is called in messages: the name of the lease whose tokens it checks
     */
    public InProcessFence(String name) {
        this(name, 0);
    }

    /**
     * A fence that stands where another one stood: at a mark that was kept with the state, or at the token of the lease as
     * it is found when the service starts.
     *
     * @param name what it is called in messages: the name of the lease whose tokens it checks
     * @param mark from 0, which is none, to 2^53 - 1
     * @throws IllegalArgumentException when no store mints such a token
     */
    public static InProcessFence standingAt(String name, long mark) {
        if (mark != 0 && !Tokens.isValid(mark)) {
            throw new IllegalArgumentException("The fence '" + name + "' cannot stand at " + mark
                    + ": tokens are from 1 to 2^53 - 1, and 0 is no mark");
        }
        return new InProcessFence(name, mark);
    }

    /**
     * Runs {@code write} when no higher token was accepted, in one step with the check: nothing else is admitted, claimed or
     * run before it has returned, on the calling thread. Once a successor's {@link #claim} has returned, no predecessor is in
     * the middle of a write. What {@code write} throws is thrown on, and leaves the mark where it was; so does every refusal.
     *
     * @throws StaleTokenException when a higher token was accepted before, or {@code token} is below 1 or not below 2^53;
     *     {@code write} was not run
     */
    public void run(long token, Runnable write) {
        Objects.requireNonNull(write, "write");
        this.<@Nullable Object>call(token, () -> {
            write.run();
            return null;
        });
    }

    /**
     * As {@link #run}, for a write with a result.
     *
     * @throws StaleTokenException as {@link #run}
     */
    public <T extends @Nullable Object> T call(long token, Supplier<T> write) {
        Objects.requireNonNull(write, "write");
        lock.lock();
        try {
            requireCurrent(token);
            T result = write.get();
            raiseTo(token);
            return result;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Accepts {@code token} and raises the mark to it; waits for a write under way. What the caller does next is not one step
     * with this check, and can be overtaken: {@link #run} is for that.
     *
     * @throws StaleTokenException when a higher token was accepted before, or {@code token} is below 1 or not below 2^53
     */
    public void admit(long token) {
        call(token, () -> token);
    }

    /**
     * As {@link #admit}: refuses predecessors from now on, also in the middle of what they do, since it waits for a write
     * under way.
     *
     * @throws StaleTokenException as {@link #admit}
     * @throws StoreException when interrupted while it waits for a write; nothing was claimed, and the thread is still
     *     interrupted
     */
    @Override
    public void claim(long token) {
        if (!lock.tryLock()) {
            lockUnlessInterrupted();
        }
        try {
            admit(token);
        } finally {
            lock.unlock();
        }
    }

    /** The highest token accepted so far; 0 when there was none. Does not wait for a write under way. */
    public long mark() {
        return mark;
    }

    private void lockUnlessInterrupted() {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.passing(
                    "The claim of the fence '" + name
                            + "' was interrupted while a write was under way; nothing was claimed",
                    e);
        }
    }

    private void requireCurrent(long token) {
        Tokens.requireValid(name, token, mark);
        if (token < mark) {
            throw new StaleTokenException(name, token, mark);
        }
    }

    /** Not below where it stands: a write may have admitted a higher token itself. */
    private void raiseTo(long token) {
        mark = Math.max(mark, token);
    }
}
