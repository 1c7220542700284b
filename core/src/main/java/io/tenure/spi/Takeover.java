package io.tenure.spi;

/** Which live leases of the requesting holder's own id an acquisition may replace. Only elections ask for any. */
public enum Takeover {
    /** None. */
    NONE,
    /** One of the same incarnation with a lower attempt number: a leftover of a release that never arrived. */
    SAME_INCARNATION,
    /** Also one of another incarnation of the same id: a leftover of a process that was restarted with a fixed id. */
    ANY_INCARNATION
}
