package io.tenure.spi;

/** What a lease is for; decides how long a store remembers the tokens of its name. */
public enum LeaseKind {
    /** A role. Its counter and mark never expire. */
    ELECTION,
    /** An operation. Its counter and mark expire some time after their last use. */
    LOCK
}
