package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What can happen to a lease. */
public sealed interface Signal {

    /** The answer to a call, recognised by the call's number: one that is not awaited any more changes nothing. */
    sealed interface Answer extends Signal {
        int call();
    }

    /** The first of the local waiters is this one now. */
    record Turn() implements Signal {}

    /** The store says that the lease may be free in {@code after}. */
    record Wake(Duration after) implements Signal {}

    /** The time that {@link LeaseMachine#nextTimer()} asked for has come. */
    record Tick() implements Signal {}

    /** The lease was granted. */
    record Granted(int call, long token, OptionalLong regressedTo) implements Answer {}

    /** Somebody else has it; {@code pushed} tells whether a release would be announced. */
    record Denied(int call, LeaseRecord current, int place, boolean pushed) implements Answer {}

    /** The lease was extended. */
    record Renewed(int call, OptionalLong regressedTo) implements Answer {}

    /** The lease is not ours any more. */
    record Lost(int call, Optional<LeaseRecord> current) implements Answer {}

    /** The release was carried out; {@code ours} is false when there was nothing of ours. */
    record Released(int call, boolean ours) implements Answer {}

    /** A call failed. */
    record Failed(int call, StoreException cause) implements Answer {}

    /** A call that had been abandoned came to its end after all. */
    record CallOver(int call) implements Signal {}

    /** The user, or the end of the {@code Tenure}, ends it: the lease with {@code token}, or with 0 whatever there is. */
    record End(EndReason reason, long token) implements Signal {}

    /** The fences have been claimed; the work is about to start. */
    record Claimed() implements Signal {}

    /** The leader's work returned, or failed with {@code failure}. */
    record WorkEnded(@Nullable Throwable failure) implements Signal {}

    /** The user wants the lease extended now. */
    record Refresh() implements Signal {}
}
