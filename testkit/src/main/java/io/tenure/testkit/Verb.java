package io.tenure.testkit;

/** What can be asked of a lease store. */
public enum Verb {
    /** To grant a lease. */
    ACQUIRE,
    /** To extend a batch of leases; one call, however many there are in it. */
    RENEW,
    /** To end a lease. */
    RELEASE,
    /** To tell who has a lease. */
    FIND,
    /** To tell which leases there are. */
    LIST,
    /** To end a lease by force. */
    EVICT
}
