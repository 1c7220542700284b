package io.tenure;

/** One uninterrupted leadership; the next one of the same instance has another token. Thread-safe. */
public interface Term extends Lease {
    /**
     * Ends this term: {@link #isHeld()} is false when this returns, the work is interrupted, and the lease is released
     * once the work has ended, or {@link ElectorOptions#drainTimeout()} is over. Without effect when the term is over. The
     * instance stands for election again after one {@link ElectorOptions#retryEvery()}, so that somebody else can win. Does not wait.
     */
    void resign();
}
