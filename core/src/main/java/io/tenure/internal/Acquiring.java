package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseRecord;
import io.tenure.TenureException;
import io.tenure.internal.machine.Effect;
import io.tenure.internal.machine.LeaseMachine;
import io.tenure.internal.machine.Signal;
import io.tenure.internal.machine.Standing;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One acquisition of a lock, from its first attempt to its end: the face of a lock's machine. */
final class Acquiring implements Face {
    private final Kernel kernel;
    private final LeaseCell cell;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private volatile @Nullable LockHandle handle;

    Acquiring(Kernel kernel, LeaseMachine machine) {
        this.kernel = kernel;
        this.cell = new LeaseCell(kernel, machine, this);
    }

    void startOnce() {
        kernel.register(cell);
        cell.post(new Signal.Turn());
    }

    /** The same for a thread that waits for the outcome. */
    void startOnceAndServe() {
        kernel.register(cell);
        cell.postAndServe(new Signal.Turn());
    }

    /** Ends empty-handed without asking the store: others of this process wait already. */
    void passBy() {
        outcome.complete(new Outcome(null, null));
    }

    void startWaiting() {
        kernel.register(cell);
        kernel.lines().join(cell);
    }

    /** Where the outcome is told to users. */
    void callBack(Runnable task) {
        cell.callBack(task);
    }

    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    /** Ends the wait; a lease that was granted meanwhile is given back. */
    void giveUp() {
        cell.post(new Signal.End(EndReason.INTERRUPTED, 0));
    }

    @Override
    public void published(LiveLease lease) {
        LockHandle granted = new LockHandle(lease, cell);
        handle = granted;
        outcome.complete(new Outcome(granted, null));
    }

    @Override
    public void finished(LiveLease lease, EndReason reason) {
        LockHandle granted = handle;
        if (granted != null) {
            granted.finished();
        }
    }

    @Override
    public void refreshed(@Nullable TenureException failure) {
        LockHandle granted = handle;
        if (granted != null) {
            granted.refreshed(failure);
        }
    }

    @Override
    public void releaseDone(@Nullable TenureException failure) {
        LockHandle granted = handle;
        if (granted != null) {
            granted.released(failure);
        }
    }

    @Override
    public void retired(Effect.Retire end, Standing standing) {
        if (outcome.isDone()) {
            return;
        }
        if (end.failure() instanceof TenureException failure) {
            outcome.completeExceptionally(failure);
        } else if (end.reason() == EndReason.CLOSED) {
            outcome.completeExceptionally(
                    new IllegalStateException("The Tenure was closed while '" + cell.name() + "' was waited for"));
        } else {
            outcome.complete(new Outcome(null, end.holder().orElse(null)));
        }
    }

    /** What became of it: a lease, or nothing and, where known, who has it. */
    record Outcome(@Nullable LockHandle lock, @Nullable LeaseRecord holder) {
        Optional<HeldLock> held() {
            return Optional.ofNullable(lock);
        }
    }
}
