package io.tenure;

/**
 * The check at a resource that refuses the writes of stale holders. An {@link Elector} claims the fences that it was
 * given ({@link ElectorOptions.Builder#claims}) for every new term, before its work starts, so that predecessors are
 * refused from that moment on. Implementations are thread-safe.
 *
 * <p>Beyond {@code claim} every fence has the shape of its resource.
 */
@FunctionalInterface
public interface Fence {
    /**
     * Raises the mark of the resource to {@code token}; blocks until it has been done. Claiming the present mark again is
     * a success. An elector interrupts a claim whose term ended, or that takes longer than the drain timeout: it should
     * end then, by a {@link StoreException}.
     *
     * @throws StaleTokenException when the mark is higher already
     * @throws StoreException when the resource could not be asked or did not answer; the claim may have been made
     */
    void claim(long token);
}
