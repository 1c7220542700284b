package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Contention.Place;
import java.time.Duration;

/** What a contender does with signals: the actions of {@link Phase#WAITING} and {@link Phase#ATTEMPTING}. */
final class Contending {
    private Contending() {}

    static void turn(LeaseMachine machine, long now) {
        if (!machine.contention.once) {
            machine.contention.place = Place.FIRST;
        }
        if (now >= machine.contention.budgetEnd) {
            giveUp(machine);
        } else {
            attempt(machine, now);
        }
    }

    static void wokenWaiting(LeaseMachine machine, Signal.Wake wake, long now) {
        Contention contention = machine.contention;
        if (contention.place != Place.FIRST) {
            return;
        }
        contention.wake(now + wake.after().toNanos(), now);
        tickWaiting(machine, now);
    }

    static void wokenAttempting(LeaseMachine machine, Signal.Wake wake, long now) {
        machine.contention.rememberWake(now + wake.after().toNanos());
    }

    static void tickWaiting(LeaseMachine machine, long now) {
        Contention contention = machine.contention;
        // The first of a line is given its turn, the others a tick.
        contention.queuedBehind |= contention.place == Place.QUEUED;
        if (now >= contention.budgetEnd) {
            giveUp(machine);
        } else if (now >= contention.tryAt && contention.place == Place.FIRST) {
            attempt(machine, now);
        } else if (now >= contention.tryAt && contention.place == Place.OUTSIDE) {
            queueUp(machine);
        }
    }

    static void tickAttempting(LeaseMachine machine, long now) {
        Contention contention = machine.contention;
        Calls calls = machine.calls;
        if (now >= contention.budgetEnd) {
            // An attempt that only the budget cut short says nothing about the store, when the one before was denied,
            // or when most of the budget went by behind others of this process.
            boolean cutShort = now - calls.sentAt() < machine.profile.acquireBound();
            long waited = calls.sentAt() - contention.startedAt;
            boolean hadLittleTime =
                    contention.lastDenial != null || contention.queuedBehind && waited > now - calls.sentAt();
            if (!cutShort || !hadLittleTime) {
                contention.failed(machine.unanswered("attempt", now), calls.drawn(), now);
            }
            contention.unanswered = true;
            machine.abandonCall();
            giveUp(machine);
        } else if (now >= calls.bound()) {
            overdue(machine, machine.unanswered("attempt", now), now);
        }
    }

    private static void overdue(LeaseMachine machine, StoreException cause, long now) {
        if (machine.calls.isKept()) { // told already
            machine.abandonCall();
            machine.contention.failed(cause, machine.calls.drawn(), now);
            machine.go(Phase.WAITING);
        } else if (machine.calls.canAbandon()) {
            machine.abandonCall();
            failed(machine, cause, now);
        } else {
            machine.calls.keep();
            machine.tell(new TenureEvent.AttemptFailed(machine.profile.name(), cause));
        }
    }

    static void granted(LeaseMachine machine, Signal.Granted grant, long now) {
        Contention contention = machine.contention;
        Profile profile = machine.profile;
        long sentAt = machine.calls.sentAt();
        machine.calls.done();
        if (now >= sentAt + profile.ttl()) {
            contention.saw(grant.token());
            failed(machine, machine.unanswered("attempt", now), now); // too late is as good as never
            return;
        }
        contention.answered();
        if (grant.regressedTo().isPresent()) {
            machine.tell(new TenureEvent.TokenRegressed(
                    profile.name(), grant.regressedTo().getAsLong(), contention.floor));
        }
        contention.saw(grant.token());
        leaveLine(machine, Effect.Leaving.SERVED);
        Holding.begin(machine, grant.token(), sentAt, now);
    }

    static void denied(LeaseMachine machine, Signal.Denied denial, long now) {
        Contention contention = machine.contention;
        LeaseRecord record = denial.current();
        machine.calls.done();
        machine.emit(new Effect.Saw(record));
        contention.denied(record);
        if (contention.once) {
            machine.retire(EndReason.TAKEN, null);
            return;
        }
        machine.go(Phase.WAITING);
        if (contention.mayReplace(record, !machine.calls.canAbandon())) {
            contention.tryAt = now;
        } else {
            follow(machine, record);
            contention.lookAgain(record, denial.place(), denial.pushed(), machine.calls.drawn(), now);
        }
        machine.emit(new Effect.Answered());
        tickWaiting(machine, now);
    }

    private static void follow(LeaseMachine machine, LeaseRecord record) {
        Contention contention = machine.contention;
        String name = machine.profile.name();
        if (!machine.profile.isElection() || contention.isOwn(record)) {
            return;
        }
        if (contention.meetsDuplicate(record)) {
            machine.tell(new TenureEvent.DuplicateHolder(name, record));
        }
        LeaseRecord before = contention.leader;
        if (before == null) {
            machine.tell(new TenureEvent.Following(name, record));
        } else if (before.token() != record.token()
                || !before.holder().equals(record.holder())
                || !before.incarnation().equals(record.incarnation())) {
            machine.tell(new TenureEvent.LeaderChanged(name, record));
        }
        contention.leader = record;
    }

    static void attemptFailed(LeaseMachine machine, Signal.Failed failure, long now) {
        machine.calls.done();
        failed(machine, failure.cause(), now);
    }

    private static void failed(LeaseMachine machine, StoreException cause, long now) {
        Contention contention = machine.contention;
        boolean news = contention.failed(cause, machine.calls.drawn(), now);
        boolean hopeless = !cause.isTransient() && !(machine.profile.isElection() && contention.pastFirst);
        contention.pastFirst = true;
        boolean thrown = contention.once || hopeless && !machine.profile.isElection();
        if (news && !thrown) { // a candidacy's first refusal is an event too: nobody may be waiting for it any more
            machine.tell(new TenureEvent.AttemptFailed(machine.profile.name(), cause));
        }
        if (hopeless || contention.once) {
            giveUp(machine);
            return;
        }
        machine.go(Phase.WAITING);
        machine.emit(new Effect.Answered());
    }

    static void end(LeaseMachine machine, Signal.End end) {
        if (end.reason() == EndReason.RESIGNED) {
            return; // meant for a term that is over already
        }
        machine.contention.unanswered |= machine.phase() == Phase.ATTEMPTING;
        machine.contention.lastFailure = null;
        machine.abandonCall();
        disown(machine);
        leaveLine(machine, Effect.Leaving.GIVING_UP);
        machine.retire(end.reason(), null);
    }

    /** Stands again for the next lease, at {@code at}. */
    static void again(LeaseMachine machine, long at, long now) {
        Contention contention = machine.contention;
        machine.hold = null;
        contention.renumber();
        contention.leader = null;
        contention.place = Place.OUTSIDE;
        contention.tryAt = at;
        machine.go(Phase.WAITING);
        if (at <= now) {
            queueUp(machine);
        }
    }

    private static void queueUp(LeaseMachine machine) {
        machine.contention.place = Place.QUEUED;
        machine.contention.tryAt = LeaseMachine.NEVER;
        machine.emit(new Effect.JoinLine());
    }

    private static void attempt(LeaseMachine machine, long now) {
        Contention contention = machine.contention;
        Profile profile = machine.profile;
        long left = contention.budgetEnd == LeaseMachine.NEVER ? LeaseMachine.NEVER : contention.budgetEnd - now;
        int call = machine.calls.begin(now, Math.min(profile.acquireBound(), left));
        boolean outstanding = !machine.calls.canAbandon();
        Duration lineFor = contention.once ? Duration.ZERO : Duration.ofNanos(profile.pushedPoll());
        machine.go(Phase.ATTEMPTING);
        machine.emit(new Effect.SendAcquire(
                call, contention.attempt, contention.floor, contention.takeover(outstanding), lineFor));
        contention.sent(now);
    }

    /** Ends without a lease: with the failure of the last attempt, if it failed, else since somebody else has it. */
    private static void giveUp(LeaseMachine machine) {
        disown(machine);
        leaveLine(machine, Effect.Leaving.GIVING_UP);
        machine.retire(
                machine.contention.lastFailure == null ? EndReason.TAKEN : EndReason.DENIED,
                machine.contention.lastFailure);
    }

    private static void disown(LeaseMachine machine) {
        if (machine.contention.unanswered) {
            machine.emit(new Effect.Disown(machine.contention.attempt));
        }
    }

    private static void leaveLine(LeaseMachine machine, Effect.Leaving how) {
        if (machine.contention.place != Place.OUTSIDE) {
            machine.contention.place = Place.OUTSIDE;
            machine.emit(new Effect.LeaveLine(how));
        }
    }
}
