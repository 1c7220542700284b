package io.tenure.tool.demo;

import java.time.Duration;

/** How those who wait learn of a release, and how soon they have to. */
public enum Pace {
    /** They are told. Looks are far apart, so that what changes hands sooner can only have been told. */
    PUSHED(Duration.ofSeconds(1), Duration.ofSeconds(5), 500, "at once", "by push"),
    /** They look. What changes hands has to do so at one of the next two looks, the second for a machine that is busy. */
    POLLED(Duration.ofMillis(500), Duration.ofMillis(500), 1_000, "at the next look", "at its next look");

    /** Slower than this a lock did not change hands as it should; the looks of those who are told are five times that apart. */
    static final double SLOWEST_LOCK = 1_000;

    private final Duration electionLooks;
    private final Duration lockLooks;
    private final double slowestSuccession;
    private final String soon;
    private final String how;

    Pace(Duration electionLooks, Duration lockLooks, double slowestSuccession, String soon, String how) {
        this.electionLooks = electionLooks;
        this.lockLooks = lockLooks;
        this.slowestSuccession = slowestSuccession;
        this.soon = soon;
        this.how = how;
    }

    /** How often a follower looks whether it could lead. */
    Duration electionLooks() {
        return electionLooks;
    }

    /** How often a waiter looks for its lock. */
    Duration lockLooks() {
        return lockLooks;
    }

    /** The latest that a leader which resigned may be replaced, in milliseconds; its lease would last longer. */
    double slowestSuccession() {
        return slowestSuccession;
    }

    /** When a successor comes, in words. */
    String soon() {
        return soon;
    }

    /** How a lock goes to the next, in words. */
    String how() {
        return how;
    }
}
