package io.tenure.internal.machine;

import io.tenure.spi.LeaseKind;

/**
 * What does not change while a lease lives. Spans are in nanoseconds.
 *
 * @param name the canonical name
 * @param holder the holder's id
 * @param incarnation the holder's incarnation
 * @param kind a role is stood for again and again, an operation ends with its first lease
 * @param ttl how long the lease lasts without a renewal
 * @param renewEvery how often it is renewed; 0 for never
 * @param retryEvery how often a waiter looks when it is not told
 * @param drainTimeout how long work may take to end
 * @param holdAtLeast how long the name stays taken after the grant
 * @param maxHold how long a hold may last; {@link LeaseMachine#NEVER} for any time
 * @param work whether there is work to start and to await
 * @param claims whether that work claims fences before it counts as elected
 * @param seed what jitter is drawn from
 */
public record Profile(
        String name,
        String holder,
        String incarnation,
        LeaseKind kind,
        long ttl,
        long renewEvery,
        long retryEvery,
        long drainTimeout,
        long holdAtLeast,
        long maxHold,
        boolean work,
        boolean claims,
        long seed) {

    private static final long MILLI = 1_000_000;

    boolean isElection() {
        return kind == LeaseKind.ELECTION;
    }

    /** How early a renewal may go out to share a command with others: a fiftieth of its interval. */
    long renewSlack() {
        return renewEvery / 50;
    }

    /** How long a waiter that can be told waits at most between two looks. */
    long pushedPoll() {
        return 10 * retryEvery;
    }

    /**
     * How long an attempt may take: what is left of the ttl must be enough for a renewal. A waiter's pace is no measure of
     * how long a server may take, so a pace below a second does not cut it short.
     */
    long acquireBound() {
        return Math.min(Math.max(retryEvery, 1_000 * MILLI), ttl - renewEvery);
    }

    /** How long a renewal may take when {@code left} is left until the deadline, so that another one fits in. */
    long renewBound(long left) {
        return Math.max(1, Math.min(renewEvery == 0 ? ttl / 3 : renewEvery, left / 2));
    }

    /** How long a release may take, all its tries together. */
    public long releaseBound() {
        return Math.min(ttl, 2_000 * MILLI);
    }

    /** The {@code draw}-th number of this lease from 0 to 1. */
    double random(long draw) {
        long z = seed + draw * 0x9E3779B97F4A7C15L; // the finalizer of SplitMix64 (Steele, Lea, Flood, 2014)
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
    }
}
