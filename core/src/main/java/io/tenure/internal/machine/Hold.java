package io.tenure.internal.machine;

import io.tenure.EndReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One lease that was granted, and the arithmetic of its deadline and renewals. */
final class Hold {
    private static final long MILLI = 1_000_000;

    final long attempt;
    final long token;
    /** When the request that was granted was sent: it cannot have been granted before. */
    final long since;
    /** When the grant was answered: it cannot have been granted later. */
    final long known;

    private final Profile profile;
    /** When the request that last extended the lease was sent. */
    private long sentAt;

    long renewAt;
    boolean dangerTold;
    /** Whether the claim still stands at the store, as far as we know. */
    boolean live = true;

    boolean workRunning;
    boolean elected;
    /** Whether a fence of its name refused it that stood below its token. */
    boolean unclaimed;
    /** When claims that have not ended are given up; never, once they have, or where there are none. */
    long claimsEnd = LeaseMachine.NEVER;
    /** Why it ended; null while it is held. */
    @Nullable
    EndReason end;

    long drainEnd = LeaseMachine.NEVER;
    boolean overrun;
    boolean releasing;
    /** Whether the renewal under way was asked for by the user, and whether another one was meanwhile. */
    boolean refreshing;

    boolean refreshWanted;

    Hold(Profile profile, long attempt, long token, long sentAt, long now) {
        this.profile = profile;
        this.attempt = attempt;
        this.token = token;
        this.since = sentAt;
        this.known = now;
        this.sentAt = sentAt;
        // A role is renewed once at once: whoever wins late in its attempt should not live on what is left of it.
        renewAt = profile.renewEvery() == 0
                ? LeaseMachine.NEVER
                : profile.isElection() ? sentAt : sentAt + profile.renewEvery();
    }

    long deadline() {
        return sentAt + profile.ttl();
    }

    /** When observers are to be told that no renewal came through. */
    long dangerAt() {
        return dangerTold || profile.renewEvery() == 0 ? LeaseMachine.NEVER : sentAt + profile.ttl() / 3 * 2;
    }

    long maxHoldEnd() {
        return profile.maxHold() == LeaseMachine.NEVER ? LeaseMachine.NEVER : since + profile.maxHold();
    }

    /** How long the name has to stay taken from {@code now} on: counted from the latest moment of the grant, and rounded up. */
    Duration keptFor(long now) {
        long rest = Math.max(0, known + profile.holdAtLeast() - now);
        return Duration.ofMillis((rest + MILLI - 1) / MILLI);
    }

    boolean isRenewalDue(long now) {
        return renewAt != LeaseMachine.NEVER && now >= renewAt - profile.renewSlack();
    }

    void extended(long sent) {
        sentAt = sent;
        dangerTold = false;
        renewAt = profile.renewEvery() == 0 ? LeaseMachine.NEVER : sent + profile.renewEvery();
    }

    /**
     * After a renewal that failed: the next point of the grid, or half of what is left, when that point is so close to the
     * deadline that hardly any store could answer in time.
     */
    void renewalFailed(long sent, long now) {
        if (profile.renewEvery() == 0) {
            return;
        }
        long next = sentAt + ((sent + profile.renewSlack() - sentAt) / profile.renewEvery() + 1) * profile.renewEvery();
        boolean useful = next <= deadline() - profile.renewEvery() / 10;
        renewAt = useful ? Math.max(next, now) : now + Math.max(profile.renewEvery() / 20, (deadline() - now) / 2);
    }
}
