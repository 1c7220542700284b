package io.tenure;

/**
 * What an instance does while it leads. An {@link Elector} calls it once a term, on a new thread of
 * {@link Tenure.Builder#workThreads} with the context class loader of whoever started the candidacy; never twice at the
 * same time, since the next term does not begin before the work of the last one has ended.
 */
@FunctionalInterface
public interface LeaderWork {
    /**
     * Leads. Returning ends the term, so work that wants to go on leading blocks until the term ends; the thread is
     * interrupted at that moment (unless {@link ElectorOptions.Builder#signalOnly()}), and must return promptly: after
     * {@link ElectorOptions#drainTimeout()} the lease is released all the same.
     *
     * @param term the term that it leads in; over when this should end
     * @throws Exception ends the term as {@link EndReason#WORK_FAILED}, told as {@link TenureEvent.WorkFailed}, or, when
     *     the {@link Tenure} has no observer, to the thread's uncaught exception handler; the instance stands again after
     *     a back-off, which begins at {@link ElectorOptions#retryEvery()} and doubles up to the ttl. An {@link Error} ends
     *     the candidacy too. Not so a {@link StaleTokenException} of this very term's name and token, as its own fence throws
     *     it: the term is lost, as {@link EndReason#TAKEN} where the fence stands above the token and as
     *     {@link EndReason#FORCED} where it stands below, and the instance stands again at once. Only when a term was
     *     {@code FORCED} in this way and the next is within a ttl has the work failed: nobody claims that fence.
     *     It has to be thrown as it is, not as the cause of another exception
     */
    void lead(Term term) throws Exception;
}
