package io.tenure.testkit.sim;

/**
 * What came of one simulated history in which no law was broken.
 *
 * @param seed what it was drawn from
 * @param hash of everything that happened, in order: equal for equal seeds
 * @param signals how much reached the engines: answers, timers, pushes, and what users asked for
 * @param terms how often somebody was elected
 * @param locks how often a lock was acquired
 * @param writesAccepted how many fenced writes went through
 * @param writesRefused how many were refused
 */
public record History(
        long seed, long hash, long signals, long terms, long locks, long writesAccepted, long writesRefused) {}
