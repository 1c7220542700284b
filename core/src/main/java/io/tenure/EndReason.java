package io.tenure;

/** Why a lease, or a candidacy, ended. {@link #isLoss()} tells what was lost from what was given up. */
public enum EndReason {
    /** Its owner released the lock. */
    RELEASED,
    /** Its owner resigned the term. */
    RESIGNED,
    /** The leader's work returned. */
    WORK_RETURNED,
    /** The leader's work threw, or a fence given to the elector could not be claimed. */
    WORK_FAILED,
    /** The local deadline passed without a renewal that was answered in time. */
    EXPIRED,
    /**
     * Another holder has the lease, or had it since; or a write of a leader's work was refused by the fence of its own name,
     * which stands above its token: somebody newer was elected, or the token was burnt (a release by force, for one).
     */
    TAKEN,
    /** Another incarnation of the same holder id has the lease: two live processes were given one id. */
    DUPLICATE_HOLDER,
    /**
     * The lease was removed before its time: by somebody with access to the store, or since the store lost data. Also when a
     * write of a leader's work was refused by the fence of its own name, which stands below its token: counter and mark were
     * lost, since every grant stamps the fence with its token.
     */
    FORCED,
    /** {@link LockOptions#maxHold()} was reached. */
    MAX_HOLD,
    /** The candidacy or the {@link Tenure} was closed. */
    CLOSED,
    /** The thread that blocked in {@link Elector#run} was interrupted. */
    INTERRUPTED,
    /** The store refused for good: no permission, wrong credentials, an unusable name. */
    DENIED;

    /** Whether the holder did not want this end: the lease was lost rather than given up. */
    public boolean isLoss() {
        return this == EXPIRED || this == TAKEN || this == DUPLICATE_HOLDER || this == FORCED;
    }
}
