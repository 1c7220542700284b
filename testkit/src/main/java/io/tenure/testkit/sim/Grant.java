package io.tenure.testkit.sim;

import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;

/** One lease that the server granted, as it ought to be by the server's clock. */
final class Grant {
    final Node node;
    final Claim claim;
    /** How often the tokens of its name had been counted anew before it. */
    int era;
    /** When it ends without anything that befalls it: the last extension and the ttl. */
    long naturalEnd;
    /** When the name is free again. */
    long until;

    Fate fate = Fate.LIVE;

    /** What became of it, other than that it expired. */
    enum Fate {
        LIVE,
        RELEASED,
        EVICTED,
        DATA_LOST,
        TAKEN_OVER
    }

    Grant(Node node, Claim claim, int era, long naturalEnd) {
        this.node = node;
        this.claim = claim;
        this.era = era;
        this.naturalEnd = naturalEnd;
        this.until = naturalEnd;
    }

    /** Whether the name is taken by it. */
    boolean isTaking(long now) {
        return (fate == Fate.LIVE || fate == Fate.RELEASED) && now < until;
    }

    /** It was extended; a name that was released and only kept for a while stays taken for longer, too. */
    void last(long to) {
        until = to;
        if (fate == Fate.LIVE) {
            naturalEnd = to;
        }
    }

    /** The very same claim was granted again. */
    void revive(int counted, long to) {
        era = counted;
        fate = Fate.LIVE;
        last(to);
    }

    boolean isOf(Claim other) {
        return claim.holder().equals(other.holder())
                && claim.incarnation().equals(other.incarnation())
                && claim.attempt() == other.attempt();
    }

    boolean isWholly(Claim other) {
        return isOf(other) && claim.token() == other.token();
    }

    boolean isAsSeen(LeaseRecord seen) {
        return claim.token() == seen.token()
                && claim.attempt() == seen.attempt()
                && claim.holder().equals(seen.holder())
                && claim.incarnation().equals(seen.incarnation());
    }

    /** For people; without the incarnation, which no seed gives back. */
    @Override
    public String toString() {
        return claim.holder() + " (node " + node.serial + ", attempt " + claim.attempt() + ", token " + claim.token()
                + ", " + fate + ", until " + until / 1e6 + " ms)";
    }
}
