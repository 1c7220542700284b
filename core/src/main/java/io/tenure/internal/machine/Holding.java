package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.Tokens;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a holder does with signals: the actions of {@link Phase#HOLDING} and {@link Phase#RENEWING}. */
final class Holding {
    private Holding() {}

    static void begin(LeaseMachine machine, long token, long sentAt, long now) {
        Profile profile = machine.profile;
        Hold hold = new Hold(profile, machine.contention.attempt, token, sentAt, now);
        machine.hold = hold;
        machine.go(Phase.HOLDING);
        machine.emit(new Effect.Begin(hold.attempt, token, hold.deadline()));
        if (profile.work()) {
            hold.workRunning = true;
            machine.emit(new Effect.StartWork());
        }
        if (!profile.isElection()) {
            machine.tell(new TenureEvent.LockAcquired(
                    profile.name(), token, LeaseMachine.span(now - machine.contention.startedAt)));
            machine.emit(new Effect.Publish());
        } else if (profile.claims()) {
            hold.claimsEnd = now + profile.drainTimeout();
        } else {
            elected(machine);
        }
        machine.emit(new Effect.Answered());
        tick(machine, now);
    }

    static void claimed(LeaseMachine machine) {
        elected(machine);
    }

    private static void elected(LeaseMachine machine) {
        machine.hold().elected = true;
        machine.hold().claimsEnd = LeaseMachine.NEVER;
        machine.contention.leader = null;
        machine.tell(new TenureEvent.Elected(machine.profile.name(), machine.hold().token));
        machine.emit(new Effect.Publish());
    }

    static void tick(LeaseMachine machine, long now) {
        Hold hold = machine.hold();
        if (now >= hold.deadline()) {
            lose(machine, EndReason.EXPIRED, now);
        } else if (now >= hold.maxHoldEnd()) {
            Draining.begin(machine, EndReason.MAX_HOLD, now);
        } else if (now >= hold.claimsEnd) {
            claimsOverdue(machine, now);
        } else {
            if (now >= hold.dangerAt()) {
                hold.dangerTold = true;
                machine.tell(new TenureEvent.LeaseInDanger(
                        machine.profile.name(), hold.token, LeaseMachine.span(hold.deadline() - now)));
            }
            tickCalls(machine, now);
        }
    }

    /** A role that is renewed while nobody leads would be worse than none: whoever can claim the fences is to have it. */
    private static void claimsOverdue(LeaseMachine machine, long now) {
        workFailed(
                machine,
                StoreException.passing(
                        "The fences of '" + machine.profile.name() + "' were not claimed for token "
                                + machine.hold().token + " within the drain timeout of "
                                + Duration.ofNanos(machine.profile.drainTimeout())
                                        .toMillis()
                                + " ms. The claim was interrupted, and may have been made; check the resource behind the fence."));
        Draining.begin(machine, EndReason.WORK_FAILED, now);
    }

    /** Gives up a renewal that takes too long, and sends the one that is due. */
    private static void tickCalls(LeaseMachine machine, long now) {
        if (machine.calls.isUnderWay() && now >= machine.calls.bound()) {
            renewalOverdue(machine, now);
            afterRenewal(machine, now);
        }
        if (!machine.calls.isUnderWay() && machine.hold().isRenewalDue(now)) {
            renew(machine, now);
        }
    }

    static void refresh(LeaseMachine machine, long now) {
        Hold hold = machine.hold();
        if (now >= hold.deadline()) {
            machine.emit(new Effect.Refreshed(lost(machine, EndReason.EXPIRED)));
            lose(machine, EndReason.EXPIRED, now);
        } else if (machine.calls.isUnderWay()) {
            hold.refreshWanted = true;
        } else {
            hold.refreshing = true;
            renew(machine, now);
        }
    }

    static void renew(LeaseMachine machine, long now) {
        Hold hold = machine.hold();
        int call = machine.calls.begin(now, machine.profile.renewBound(hold.deadline() - now));
        if (machine.phase() == Phase.HOLDING) {
            machine.go(Phase.RENEWING);
        }
        machine.emit(new Effect.SendRenew(call, hold.attempt, hold.token));
    }

    static void renewed(LeaseMachine machine, Signal.Renewed answer, long now) {
        Hold hold = machine.hold();
        long sentAt = machine.calls.sentAt();
        machine.calls.done();
        if (now >= hold.deadline()) {
            lose(machine, EndReason.EXPIRED, now); // an answer after the deadline is too late, whatever it says
            return;
        }
        hold.extended(sentAt);
        machine.emit(new Effect.Extend(hold.deadline()));
        if (answer.regressedTo().isPresent()) {
            machine.tell(new TenureEvent.TokenRegressed(
                    machine.profile.name(), answer.regressedTo().getAsLong(), hold.token));
        }
        settleRefresh(machine, null);
        afterRenewal(machine, now);
    }

    static void renewalAnsweredLost(LeaseMachine machine, Signal.Lost answer, long now) {
        machine.calls.done();
        machine.contention.sawTokenOf(answer.current());
        lose(machine, reasonOf(machine, answer.current(), now), now);
    }

    static void renewalCallFailed(LeaseMachine machine, Signal.Failed failure, long now) {
        machine.calls.done();
        if (now >= machine.hold().deadline()) {
            lose(machine, EndReason.EXPIRED, now);
            return;
        }
        renewalFailed(machine, failure.cause(), now);
        afterRenewal(machine, now);
    }

    /** A renewal that was answered with a failure; that one is done, so that nothing is left to cancel. */
    static void renewalFailed(LeaseMachine machine, StoreException cause, long now) {
        tellFailure(machine, cause);
        machine.hold().renewalFailed(machine.calls.sentAt(), now);
    }

    /** A renewal that was not answered in time: abandoned, or awaited on while another abandoned one is outstanding. */
    static void renewalOverdue(LeaseMachine machine, long now) {
        if (!machine.calls.isKept()) {
            tellFailure(machine, machine.unanswered("renewal", now));
        }
        if (machine.calls.canAbandon()) {
            machine.abandonCall();
            machine.hold().renewalFailed(machine.calls.sentAt(), now);
        } else {
            machine.calls.keep();
        }
    }

    private static void tellFailure(LeaseMachine machine, StoreException cause) {
        machine.tell(new TenureEvent.RenewalFailed(machine.profile.name(), machine.hold().token, cause));
        settleRefresh(machine, cause);
    }

    private static void afterRenewal(LeaseMachine machine, long now) {
        Hold hold = machine.hold();
        if (machine.calls.isUnderWay()) {
            return;
        }
        machine.go(Phase.HOLDING);
        if (hold.refreshWanted) {
            hold.refreshWanted = false;
            hold.refreshing = true;
            renew(machine, now);
        }
    }

    private static void settleRefresh(LeaseMachine machine, @Nullable StoreException failure) {
        if (machine.hold().refreshing) {
            machine.hold().refreshing = false;
            machine.emit(new Effect.Refreshed(failure));
        }
    }

    static void workEnded(LeaseMachine machine, Signal.WorkEnded ended, long now) {
        Hold hold = machine.hold();
        if (now >= hold.deadline()) {
            // Work that looks at isHeld() ends at the deadline, often before the timer goes off: a loss all the same.
            lose(machine, EndReason.EXPIRED, now);
            Draining.workEnded(machine, ended, now);
            return;
        }
        hold.workRunning = false;
        Throwable failure = ended.failure();
        if (failure == null) {
            Draining.begin(machine, EndReason.WORK_RETURNED, now);
            return;
        }
        EndReason refused = refusedByOwnFence(machine, failure);
        hold.unclaimed = refused == EndReason.FORCED;
        if (refused != null && !isRefusedAgain(machine, now)) {
            lose(machine, refused, now);
            return;
        }
        workFailed(machine, failure);
        Draining.begin(machine, EndReason.WORK_FAILED, now);
    }

    /**
     * How the term was lost, when its work was refused by a fence of its own name; null when that is not so. A mark above the
     * token: there is a newer one. One below it: the store lost what the grant had written.
     */
    static @Nullable EndReason refusedByOwnFence(LeaseMachine machine, Throwable failure) {
        if (!machine.hold().elected
                || !(failure instanceof StaleTokenException stale)
                || stale.token() != machine.hold().token
                || !stale.name().equals(machine.profile.name())) {
            return null;
        }
        if (stale.mark() > stale.token() && Tokens.isValid(stale.mark())) {
            machine.contention.saw(stale.mark());
            return EndReason.TAKEN;
        }
        return stale.mark() >= 0 && stale.mark() < stale.token() ? EndReason.FORCED : null;
    }

    /**
     * Whether terms are refused one after another by a fence that stands below their tokens, this one within a ttl. Then it
     * is no loss of data but a fence that nobody claims, and standing again at once would go on without a pause for ever.
     */
    private static boolean isRefusedAgain(LeaseMachine machine, long now) {
        Hold hold = machine.hold();
        return hold.unclaimed && machine.contention.unclaimed && now - hold.known < machine.profile.ttl();
    }

    static void workFailed(LeaseMachine machine, Throwable failure) {
        machine.tell(new TenureEvent.WorkFailed(machine.profile.name(), machine.hold().token, failure));
        if (failure instanceof StaleTokenException stale) {
            if (!machine.hold().elected) { // a claim: only fences of the store report what they refuse by themselves
                machine.tell(new TenureEvent.FenceRejected(stale.name(), stale.token(), stale.mark()));
            }
            if (Tokens.isValid(stale.mark())) {
                machine.contention.saw(stale.mark());
            }
        }
        if (failure instanceof Error) {
            machine.closing = EndReason.WORK_FAILED;
            machine.fatal(failure);
        }
    }

    /** The claim is gone without our wanting it. */
    static void lose(LeaseMachine machine, EndReason reason, long now) {
        Hold hold = machine.hold();
        hold.live = false;
        hold.end = reason;
        machine.emit(new Effect.Finish(reason)); // first of all: whoever works under the lease learns of it
        machine.abandonCall();
        machine.tell(new TenureEvent.LeaseLost(machine.profile.name(), hold.token, reason));
        if (hold.refreshing || hold.refreshWanted) {
            machine.emit(new Effect.Refreshed(lost(machine, reason)));
        }
        if (!machine.profile.isElection()) {
            machine.retire(reason, null);
        } else if (hold.workRunning) {
            hold.drainEnd = now + machine.profile.drainTimeout();
            machine.go(Phase.DRAINING);
        } else {
            Draining.stepDown(machine, now);
        }
    }

    /** Why a renewal or release found the lease gone, by who has it now. */
    static EndReason reasonOf(LeaseMachine machine, Optional<LeaseRecord> current, long now) {
        if (now >= machine.hold().deadline()) {
            return EndReason.EXPIRED;
        }
        if (current.isEmpty()) {
            return EndReason.FORCED;
        }
        LeaseRecord record = current.get();
        boolean sameHolder = record.isOurs() && record.holder().equals(machine.profile.holder());
        if (!sameHolder) {
            return EndReason.TAKEN;
        }
        if (record.incarnation().equals(machine.profile.incarnation())) {
            return EndReason.FORCED; // still ours by name, but the mark has passed its token: somebody burnt it
        }
        machine.contention.duel = Standing.Duel.TOLD;
        machine.tell(new TenureEvent.DuplicateHolder(machine.profile.name(), record));
        return EndReason.DUPLICATE_HOLDER;
    }

    static LeaseLostException lost(LeaseMachine machine, EndReason reason) {
        Hold hold = machine.hold;
        return new LeaseLostException(machine.profile.name(), hold == null ? 0 : hold.token, reason);
    }

    static long nextTimer(LeaseMachine machine) {
        Hold hold = machine.hold();
        long call = machine.calls.isUnderWay() ? machine.calls.bound() : LeaseMachine.NEVER;
        if (machine.phase() == Phase.DRAINING) {
            return Math.min(Draining.nextTimer(machine), call);
        }
        long renewal = machine.calls.isUnderWay() ? LeaseMachine.NEVER : hold.renewAt;
        return Math.min(
                Math.min(hold.deadline(), Math.min(hold.maxHoldEnd(), hold.claimsEnd)),
                Math.min(Math.min(hold.dangerAt(), renewal), call));
    }
}
