package io.tenure;

import java.time.Duration;

/** Something that happened to a lease of this process, or to its store. Immutable. */
public sealed interface TenureEvent {

    /** An event of one lease name. */
    sealed interface Named extends TenureEvent {
        /** The name of the lease, in the store's canonical form. */
        String name();
    }

    /** This instance leads, by {@code token}. Queued before the work starts. */
    record Elected(String name, long token) implements Named {}

    /** The term that was {@link Elected} with the same token is over, and its work has ended. */
    record SteppedDown(String name, long token, EndReason reason) implements Named {}

    /** Somebody else leads: the first lost attempt after each change of this instance's role. */
    record Following(String name, LeaseRecord leader) implements Named {}

    /** While this instance follows, another leader than before was seen. */
    record LeaderChanged(String name, LeaseRecord leader) implements Named {}

    /** A lock was acquired, after waiting for {@code waited}. */
    record LockAcquired(String name, long token, Duration waited) implements Named {}

    /** A lock was given back. */
    record LockReleased(String name, long token, EndReason reason) implements Named {}

    /** A lease ended without its holder wanting it; while work was draining, its claim was. */
    record LeaseLost(String name, long token, EndReason reason) implements Named {}

    /** No renewal has succeeded for two thirds of the ttl. */
    record LeaseInDanger(String name, long token, Duration remaining) implements Named {}

    /** A renewal failed or was not answered in time; the next one follows. */
    record RenewalFailed(String name, long token, StoreException cause) implements Named {}

    /** An attempt to acquire failed or was not answered in time. A permanent failure is told once per change. */
    record AttemptFailed(String name, StoreException cause) implements Named {}

    /**
     * A release failed or was not answered in time; the lease ends by its ttl, or with this instance's next attempt. The
     * token is 0 when it was that of an attempt that had been given up, and nobody knows whether it was granted.
     */
    record ReleaseFailed(String name, long token, StoreException cause) implements Named {}

    /**
     * The leader's work threw, or a fence could not be claimed. What the fence of the work's own term refuses is a
     * {@link LeaseLost} instead.
     */
    record WorkFailed(String name, long token, Throwable cause) implements Named {}

    /** The work did not end within {@code timeout} after its term did; its token was burnt. */
    record DrainOverrun(String name, long token, Duration timeout) implements Named {}

    /**
     * A fence refused {@code token}: one of the store, or one that an elector claimed. {@code name} is the fence's, and
     * {@code mark} the highest token that it knows, 0 for none.
     */
    record FenceRejected(String name, long token, long mark) implements Named {}

    /** The store's counter, or its mark, stood at {@code found}, below {@code known}: data was lost, and is healed. */
    record TokenRegressed(String name, long found, long known) implements Named {}

    /** Another live process uses this instance's holder id. */
    record DuplicateHolder(String name, LeaseRecord other) implements Named {}

    /** Something about the store that somebody should know. */
    record StoreWarning(String message) implements TenureEvent {}

    /** {@code count} events were dropped, since the observer did not keep up. */
    record EventsDropped(long count) implements TenureEvent {}
}
