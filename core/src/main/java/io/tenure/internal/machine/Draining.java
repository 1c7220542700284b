package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TenureException;
import io.tenure.spi.ReleaseMode;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * From the moment an end is decided until the work has ended and the lease is released: the actions of {@link
 * Phase#DRAINING}. While work is running the claim is renewed, so that a successor does not start before it stopped.
 */
final class Draining {
    private Draining() {}

    static void ended(LeaseMachine machine, Signal.End end, long now) {
        Hold hold = machine.hold();
        if (end.token() != 0 && end.token() != hold.token) {
            return; // meant for an earlier term
        }
        if (now >= hold.deadline()) {
            if (end.reason() == EndReason.RELEASED) {
                machine.emit(new Effect.ReleaseDone(Holding.lost(machine, EndReason.EXPIRED)));
            } else if (end.reason() != EndReason.RESIGNED) {
                machine.closing = end.reason();
            }
            Holding.lose(machine, EndReason.EXPIRED, now);
            return;
        }
        begin(machine, end.reason(), now);
    }

    /** Decides a voluntary end. */
    static void begin(LeaseMachine machine, EndReason reason, long now) {
        Hold hold = machine.hold();
        Profile profile = machine.profile;
        hold.end = reason;
        machine.emit(new Effect.Finish(reason));
        if (hold.refreshing || hold.refreshWanted) {
            machine.emit(new Effect.Refreshed(Holding.lost(machine, reason)));
            hold.refreshing = false;
        }
        if (profile.isElection() && (reason == EndReason.CLOSED || reason == EndReason.INTERRUPTED)) {
            machine.closing = reason;
        }
        machine.go(Phase.DRAINING);
        if (hold.workRunning) {
            hold.drainEnd = now + profile.drainTimeout();
            return;
        }
        // Whoever used a lock that we end by ourselves may still be at it: its token is burnt.
        boolean ours = !profile.isElection() && (reason == EndReason.MAX_HOLD || reason == EndReason.CLOSED);
        release(machine, ours ? ReleaseMode.BURN : ReleaseMode.PLAIN, now);
    }

    private static void release(LeaseMachine machine, ReleaseMode mode, long now) {
        Hold hold = machine.hold();
        machine.abandonCall();
        hold.releasing = true;
        int call = machine.calls.begin(now, machine.profile.releaseBound());
        machine.emit(new Effect.SendRelease(call, hold.attempt, hold.token, hold.keptFor(now), mode));
    }

    /** A further end while one is under way: it may close the candidacy, but does not change why the lease ended. */
    static void endedAgain(LeaseMachine machine, Signal.End end, long now) {
        Hold hold = machine.hold();
        if (end.reason() == EndReason.RELEASED) {
            machine.emit(new Effect.ReleaseDone(Holding.lost(machine, endOf(hold))));
        } else if (machine.profile.isElection() && end.reason() != EndReason.RESIGNED && machine.closing == null) {
            machine.closing = end.reason();
            if (hold.overrun && !hold.releasing) {
                stepDown(machine, now);
            }
        }
    }

    static void tick(LeaseMachine machine, long now) {
        Hold hold = machine.hold();
        if (hold.live && !hold.releasing && now >= hold.deadline()) {
            claimLost(machine, EndReason.EXPIRED);
        }
        if (hold.workRunning && !hold.overrun && now >= hold.drainEnd) {
            overrun(machine, now);
            return;
        }
        if (machine.calls.isUnderWay() && now >= machine.calls.bound()) {
            if (hold.releasing) {
                machine.abandonCall();
                releaseFailed(machine, machine.unanswered("release", now), now);
                return;
            }
            Holding.renewalOverdue(machine, now);
        }
        if (hold.live && !hold.releasing && !machine.calls.isUnderWay() && hold.isRenewalDue(now)) {
            Holding.renew(machine, now);
        }
    }

    private static void overrun(LeaseMachine machine, long now) {
        Hold hold = machine.hold();
        hold.overrun = true;
        machine.tell(new TenureEvent.DrainOverrun(
                machine.profile.name(), hold.token, Duration.ofNanos(machine.profile.drainTimeout())));
        if (hold.live) {
            release(machine, ReleaseMode.BURN, now);
        } else if (machine.closing != null) {
            stepDown(machine, now);
        }
    }

    static void renewed(LeaseMachine machine, long now) {
        long sentAt = machine.calls.sentAt();
        machine.calls.done();
        if (now < machine.hold().deadline()) {
            machine.hold().extended(sentAt);
        }
        tick(machine, now);
    }

    static void renewalAnsweredLost(LeaseMachine machine, Signal.Lost answer, long now) {
        machine.calls.done();
        machine.contention.sawTokenOf(answer.current());
        claimLost(machine, Holding.reasonOf(machine, answer.current(), now));
    }

    static void callFailed(LeaseMachine machine, Signal.Failed failure, long now) {
        machine.calls.done();
        if (machine.hold().releasing) {
            releaseFailed(machine, failure.cause(), now);
        } else {
            Holding.renewalFailed(machine, failure.cause(), now);
        }
    }

    /** The claim was lost while work was draining: an event, and a successor that may start before the work ended. */
    private static void claimLost(LeaseMachine machine, EndReason reason) {
        machine.abandonCall();
        machine.hold().live = false;
        machine.tell(new TenureEvent.LeaseLost(machine.profile.name(), machine.hold().token, reason));
    }

    static void released(LeaseMachine machine, Signal.Released answer, long now) {
        Hold hold = machine.hold();
        machine.calls.done();
        if (answer.ours()) {
            if (!machine.profile.isElection()) {
                machine.tell(new TenureEvent.LockReleased(machine.profile.name(), hold.token, endOf(hold)));
            }
            afterRelease(machine, null, now);
        } else {
            EndReason reason = Holding.reasonOf(machine, Optional.empty(), now);
            // One term, one reason: nobody works any more under a term whose work has failed.
            if (!hold.elected || hold.end != EndReason.WORK_FAILED) {
                machine.tell(new TenureEvent.LeaseLost(machine.profile.name(), hold.token, reason));
            }
            afterRelease(machine, Holding.lost(machine, reason), now);
        }
    }

    private static void releaseFailed(LeaseMachine machine, StoreException cause, long now) {
        machine.tell(new TenureEvent.ReleaseFailed(machine.profile.name(), machine.hold().token, cause));
        afterRelease(machine, cause, now);
    }

    private static void afterRelease(LeaseMachine machine, @Nullable TenureException failure, long now) {
        Hold hold = machine.hold();
        hold.live = false;
        hold.releasing = false;
        if (hold.end == EndReason.RELEASED) {
            machine.emit(new Effect.ReleaseDone(failure));
        }
        if (!machine.profile.isElection()) {
            machine.retire(endOf(hold), null);
        } else if (!hold.workRunning || machine.closing != null) {
            stepDown(machine, now);
        }
    }

    static void workEnded(LeaseMachine machine, Signal.WorkEnded ended, long now) {
        Hold hold = machine.hold();
        hold.workRunning = false;
        Throwable failure = ended.failure();
        boolean expected = failure instanceof InterruptedException || failure instanceof LeaseLostException;
        if (failure != null && !expected && Holding.refusedByOwnFence(machine, failure) == null) {
            Holding.workFailed(machine, failure);
        }
        if (hold.releasing) {
            return; // the answer to the release ends it
        }
        if (hold.live) {
            release(machine, ReleaseMode.PLAIN, now);
        } else {
            stepDown(machine, now);
        }
    }

    /** The term is over: the candidacy ends, or stands again. After a voluntary end it lets others go first. */
    static void stepDown(LeaseMachine machine, long now) {
        Hold hold = machine.hold();
        EndReason end = endOf(hold);
        Contention contention = machine.contention;
        if (hold.elected) {
            machine.tell(new TenureEvent.SteppedDown(machine.profile.name(), hold.token, end));
        }
        contention.unclaimed = hold.unclaimed;
        contention.workFailures = end == EndReason.WORK_FAILED ? contention.workFailures + 1 : 0;
        if (machine.closing != null) {
            machine.retire(machine.closing, null);
        } else if (end == EndReason.WORK_FAILED) {
            Contending.again(machine, now + contention.holdOff(contention.workFailures, machine.calls.drawn()), now);
        } else {
            Contending.again(machine, end.isLoss() ? now : now + machine.profile.retryEvery(), now);
        }
    }

    private static EndReason endOf(Hold hold) {
        if (hold.end == null) {
            throw new IllegalStateException("a lease that is held is not draining");
        }
        return hold.end;
    }

    static long nextTimer(LeaseMachine machine) {
        Hold hold = machine.hold();
        long drain = hold.workRunning && !hold.overrun ? hold.drainEnd : LeaseMachine.NEVER;
        if (!hold.live || hold.releasing) {
            return drain;
        }
        long renewal = machine.calls.isUnderWay() ? LeaseMachine.NEVER : hold.renewAt;
        return Math.min(drain, Math.min(hold.deadline(), renewal));
    }
}
