package io.tenure.internal.machine;

/** Where a lease is in its life. */
public enum Phase {
    /** Wants the lease; no attempt is under way. */
    WAITING,
    /** An attempt is under way. */
    ATTEMPTING,
    /** Has it; nothing is under way. */
    HOLDING,
    /** Has it; a renewal is under way. */
    RENEWING,
    /** Does not hold it any more for its user; work, a last renewal or the release is still outstanding. */
    DRAINING,
    /** Ended for good. */
    OVER
}
