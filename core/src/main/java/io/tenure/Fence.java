package io.tenure;

/**
 * The check at a resource that refuses the writes of stale holders. An {@link Elector} claims the fences that it was
 * given ({@link ElectorOptions.Builder#claims}) for every new term, before its work starts, so that predecessors are
 * refused from that moment on. Implementations are thread-safe.
 *
 * <p>Beyond {@code claim} every fence has the shape of its resource. The check must be one step with the write that it
 * guards: whoever looks at the mark first and writes afterwards can be overtaken in between.
 *
 * <p>The rule is that of M. Kleppmann, "How to do distributed locking" (2016).
 */
@FunctionalInterface
public interface Fence {
    /**
     * Raises the mark of the resource to {@code token}; blocks until it has been done. Claiming the present mark again is
     * a success. An elector calls it on the thread of the term's work, while the lease is being renewed, and interrupts a
     * claim whose term ended, or that takes longer than the drain timeout: it should end then, by a
     * {@link StoreException}.
     *
     * @param token from 1 to 2^53 - 1
     * @throws StaleTokenException when the mark is higher already, or no store mints such a token
     * @throws StoreException when the resource could not be asked or did not answer; the claim may have been made
     */
    void claim(long token);
}
