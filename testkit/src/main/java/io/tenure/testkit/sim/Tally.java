package io.tenure.testkit.sim;

/** What is counted of one history. */
final class Tally {
    long signals;
    long terms;
    long locks;
    long writesAccepted;
    long writesRefused;
}
