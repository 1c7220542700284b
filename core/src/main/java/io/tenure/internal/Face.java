package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.TenureException;
import io.tenure.internal.machine.Effect;
import io.tenure.internal.machine.Standing;
import org.jspecify.annotations.Nullable;

/** The user's side of a lease: what an elector or a lock makes of what its machine decides. Must not block. */
interface Face {
    /** A lease began. */
    default void begun(LiveLease lease) {}

    /** Start the work. */
    default void startWork(LiveLease lease) {}

    /** The lease may be seen. */
    void published(LiveLease lease);

    /** The lease is over, and {@code ended} has been completed. */
    default void finished(LiveLease lease, EndReason reason) {}

    /** A refresh was carried out, or failed. */
    default void refreshed(@Nullable TenureException failure) {}

    /** The user's release was carried out, or failed. */
    default void releaseDone(@Nullable TenureException failure) {}

    /** Somebody was seen to hold the lease. */
    default void saw(LeaseRecord record) {}

    /** The store answered an attempt, or failed to. */
    default void answered() {}

    /** Whether the calling thread is one that must not wait for the end. */
    default boolean isInside() {
        return false;
    }

    /** It is over. */
    void retired(Effect.Retire end, Standing standing);
}
