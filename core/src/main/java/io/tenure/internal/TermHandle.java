package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.Term;
import io.tenure.internal.machine.Signal;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** One term, as its user sees it. */
final class TermHandle implements Term {
    private final LiveLease lease;
    private final LeaseCell cell;

    TermHandle(LiveLease lease, LeaseCell cell) {
        this.lease = lease;
        this.cell = cell;
    }

    @Override
    public void resign() {
        if (lease.relinquish(EndReason.RESIGNED)) {
            cell.post(new Signal.End(EndReason.RESIGNED, lease.token()));
        }
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public String holder() {
        return lease.holder();
    }

    @Override
    public long token() {
        return lease.token();
    }

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public Duration remaining() {
        return lease.remaining();
    }

    @Override
    public void requireHeld() {
        lease.requireHeld();
    }

    @Override
    public void requireRemaining(Duration atLeast) {
        lease.requireRemaining(atLeast);
    }

    @Override
    public CompletionStage<EndReason> ended() {
        return lease.ended();
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
