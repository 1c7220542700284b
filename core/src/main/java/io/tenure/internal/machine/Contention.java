package io.tenure.internal.machine;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.internal.machine.Standing.Duel;
import io.tenure.spi.Takeover;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The memory of a contender between its attempts, and the arithmetic of when to try again. */
final class Contention {
    private static final long MILLI = 1_000_000;
    private static final long SHORTEST_WAIT = 5 * MILLI;
    private static final long PUSH_GAP = 10 * MILLI;
    private static final long SPREAD = 3 * MILLI;
    /** The longest pause between two attempts on a store that fails, unless the pace of looking is slower still. */
    private static final long LONGEST_PAUSE = 5_000 * MILLI;

    /** Whether and where a contender stands in the local line. */
    enum Place {
        /** In no line: one attempt, or a pause before standing again. */
        OUTSIDE,
        /** Behind other local waiters. */
        QUEUED,
        /** First: the one that talks to the store. */
        FIRST
    }

    final Profile profile;
    final long startedAt;
    final long budgetEnd;
    final boolean once;
    Place place;
    long tryAt = LeaseMachine.NEVER;
    long attempt;
    long floor;
    Duel duel;
    Takeover asked = Takeover.NONE;
    /** Whether it had to wait for its turn behind others of its process. */
    boolean queuedBehind;
    /** The last attempt may have been granted without our knowing. */
    boolean unanswered;
    /** Whether the first attempt is over, in whichever way: from then on nobody waits for a refusal to be thrown. */
    boolean pastFirst;

    @Nullable
    LeaseRecord lastDenial;
    /** Why the last attempt failed; null when it was answered. */
    @Nullable
    StoreException lastFailure;

    @Nullable
    LeaseRecord leader;

    int workFailures;
    /** Whether the last term was refused by a fence of its name that stood below its token. */
    boolean unclaimed;

    private int failures;
    /** Whether the last denial told of no time left. */
    private boolean overBefore;

    private @Nullable String refusal;
    private long wokenFor = LeaseMachine.NEVER;
    private boolean pushed;
    private long lastPush;

    Contention(Profile profile, Standing standing, long now, long budgetEnd, boolean once) {
        this.profile = profile;
        this.startedAt = now;
        this.budgetEnd = budgetEnd;
        this.once = once;
        this.place = once ? Place.OUTSIDE : Place.QUEUED;
        this.attempt = standing.attempt() + 1;
        this.floor = standing.floor();
        this.duel = standing.duel();
        this.lastPush = now - PUSH_GAP;
    }

    Standing standing() {
        return new Standing(attempt, floor, duel);
    }

    /** Begins a new attempt number: what was asked for before is answered, or disowned. */
    void renumber() {
        attempt++;
        unanswered = false;
        lastFailure = null;
        lastDenial = null;
    }

    /** What to ask for, given whether an abandoned call is still outstanding. */
    Takeover takeover(boolean outstanding) {
        asked = !profile.isElection() || unanswered || outstanding
                ? Takeover.NONE
                : duel == Duel.MET ? Takeover.ANY_INCARNATION : Takeover.SAME_INCARNATION;
        if (asked == Takeover.ANY_INCARNATION) {
            duel = Duel.SPENT;
        }
        return asked;
    }

    void sent(long now) {
        if (pushed) {
            lastPush = now;
            pushed = false;
        }
        wokenFor = LeaseMachine.NEVER;
        tryAt = LeaseMachine.NEVER;
    }

    /** Any answer ends what failures before it led to. */
    void answered() {
        pastFirst = true;
        unanswered = false;
        failures = 0;
        refusal = null;
        lastFailure = null;
    }

    void denied(LeaseRecord record) {
        answered();
        lastDenial = record;
        saw(record.token());
    }

    /** Every token that was seen raises the floor: the next one has to be higher, also when the store forgets it. */
    void saw(long token) {
        floor = Math.max(floor, token);
    }

    void sawTokenOf(Optional<LeaseRecord> record) {
        record.ifPresent(seen -> saw(seen.token()));
    }

    /** Whether this very instance took the lease, and is not following anybody. */
    boolean isOwn(LeaseRecord record) {
        return record.holder().equals(profile.holder()) && record.incarnation().equals(profile.incarnation());
    }

    /**
     * Whether the denial names a leftover of our own that the next attempt may replace at once: not while an abandoned call
     * is outstanding, since an attempt may not ask for it then, and would be denied again and again.
     */
    boolean mayReplace(LeaseRecord record, boolean outstanding) {
        boolean sameId = record.isOurs() && record.holder().equals(profile.holder());
        if (!profile.isElection() || !sameId || outstanding) {
            return false;
        }
        if (isOwn(record)) {
            return asked == Takeover.NONE && record.attempt() < attempt;
        }
        if (duel == Duel.OPEN) {
            duel = Duel.MET;
            return true;
        }
        return false;
    }

    /** Whether this is the first sight, after the one chance was used up, of another process with our id. */
    boolean meetsDuplicate(LeaseRecord record) {
        boolean duplicate = record.isOurs()
                && profile.isElection()
                && record.holder().equals(profile.holder())
                && !record.incarnation().equals(profile.incarnation());
        if (duplicate && duel == Duel.SPENT) {
            duel = Duel.TOLD;
            return true;
        }
        return false;
    }

    /** After a denial: the exact expiry that was told, a look in between, or the push that came meanwhile. */
    void lookAgain(LeaseRecord record, int placeInLine, boolean pushLive, long draw, long now) {
        long spread = Math.min(Math.max(placeInLine - 1, 0), 8) * SPREAD;
        long expiry = saturated(record.remaining().toNanos(), MILLI + spread);
        // Who could not be entered in the line is not woken by a release.
        boolean woken = pushLive && placeInLine > 0 && record.isOurs();
        long poll = woken ? profile.pushedPoll() : profile.retryEvery();
        long jittered = poll - (long) (poll / 10.0 * profile.random(draw));
        boolean over = record.remaining().isZero();
        // A store that tells of no time left again and again does not notice the end: to look ever so often ends
        // nothing.
        long wait = over && overBefore ? jittered : Math.min(expiry, jittered);
        overBefore = over;
        tryAt = now + Math.max(SHORTEST_WAIT, wait);
        if (wokenFor != LeaseMachine.NEVER) {
            wake(wokenFor, now);
        }
    }

    /** A push: look at {@code at}, but not more often than every 10 ms on account of pushes. */
    void wake(long at, long now) {
        long look = Math.max(Math.max(at, now), lastPush + PUSH_GAP);
        if (look < tryAt) {
            tryAt = look;
            pushed = true;
        }
    }

    /** A push that comes while an attempt is under way is kept for its denial or failure. */
    void rememberWake(long at) {
        wokenFor = Math.min(wokenFor, at);
    }

    /** Whether this failure is news: every transient one, and a permanent one that differs from the last. */
    boolean failed(StoreException cause, long draw, long now) {
        boolean news =
                cause.isTransient() || !String.valueOf(cause.getMessage()).equals(refusal);
        refusal = cause.isTransient() ? null : cause.getMessage();
        unanswered |= cause.isTransient();
        lastFailure = cause;
        failures++;
        tryAt = now + doubled(failures, Math.min(longest(), Math.max(LONGEST_PAUSE, profile.retryEvery())), draw);
        if (wokenFor != LeaseMachine.NEVER) {
            wake(wokenFor, now); // the store came back, or a release was told, while the attempt was failing
        }
        return news;
    }

    /**
     * How long to let others go first after work failed so many times in a row: never less than the time in which all who
     * are not told of a release look.
     */
    long holdOff(int times, long draw) {
        return Math.max(profile.retryEvery(), doubled(times, longest(), draw));
    }

    private long longest() {
        return Math.max(profile.ttl(), profile.retryEvery());
    }

    /** Doubling from the pace of looking to {@code most}, jittered downward. */
    private long doubled(int times, long most, long draw) {
        int doublings = Math.min(times - 1, 40);
        long span = profile.retryEvery() > most >> doublings ? most : profile.retryEvery() << doublings;
        return span - (long) (span / 5.0 * profile.random(draw));
    }

    private static long saturated(long a, long b) {
        return a > Long.MAX_VALUE / 4 ? Long.MAX_VALUE / 4 : a + b;
    }
}
