package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.Term;
import io.tenure.internal.machine.Signal;

/** One term, as its user sees it. */
final class TermHandle extends LeaseHandle implements Term {
    TermHandle(LiveLease lease, LeaseCell cell) {
        super(lease, cell);
    }

    @Override
    public void resign() {
        if (lease.relinquish(EndReason.RESIGNED)) {
            cell.post(new Signal.End(EndReason.RESIGNED, lease.token()));
        }
    }
}
