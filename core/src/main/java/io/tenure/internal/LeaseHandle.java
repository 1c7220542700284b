package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.Lease;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** What the handles of terms and locks have in common: the view of their lease. */
abstract class LeaseHandle implements Lease {
    final LiveLease lease;
    final LeaseCell cell;

    LeaseHandle(LiveLease lease, LeaseCell cell) {
        this.lease = lease;
        this.cell = cell;
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
