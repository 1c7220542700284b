package io.tenure.internal.machine;

import io.tenure.TenureEvent;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Takeover;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows one machine by its signals and effects alone, and checks after every step what must always hold. */
final class Witness {
    enum What {
        ACQUIRE,
        RENEW,
        RELEASE
    }

    record Sent(int call, What what, long at, long attempt) {}

    final boolean once;
    final List<Sent> history = new ArrayList<>();
    /** Abandoned calls that have not come to their end. */
    final List<Integer> outstanding = new ArrayList<>();

    @Nullable
    Sent current;

    boolean inLine;
    boolean awaitsTurn;
    boolean begun;
    boolean workRunning;
    boolean claimed;
    long token;

    private final Profile profile;
    private final LeaseMachine machine;
    private final Deque<Step> trail = new ArrayDeque<>();
    private Phase from = Phase.WAITING;
    private @Nullable Signal signal;
    private @Nullable Sent answered;
    private long now;
    private long budgetEnd;
    private long deadline;
    private boolean held;
    private boolean released;
    private boolean published;
    private @Nullable Long elected;
    private long steppedDownAt = Long.MIN_VALUE;
    private long attempt;
    private boolean unanswered;
    private long floor;
    private boolean duelSpent;
    private int refreshes;
    private boolean releaseAsked;
    private int retired;

    Witness(Profile profile, LeaseMachine machine, long now) {
        this.profile = profile;
        this.machine = machine;
        this.once = machine.nextTimer() == LeaseMachine.NEVER && machine.contention.once;
        this.inLine = !once;
        this.awaitsTurn = true;
        this.budgetEnd = machine.contention.budgetEnd;
        this.now = now;
    }

    void before(Signal given, long at) {
        from = machine.phase();
        signal = given;
        now = at;
        answered = null;
        if (given instanceof Signal.Answer answer && current != null && current.call() == answer.call()) {
            answered = current;
            current = null;
            if (answered.what() == What.ACQUIRE) {
                boolean decided = given instanceof Signal.Denied
                        || given instanceof Signal.Granted && at < answered.at() + profile.ttl();
                unanswered = !decided
                        && (unanswered
                                || !(given instanceof Signal.Failed failed)
                                || failed.cause().isTransient());
            }
        } else if (given instanceof Signal.CallOver over) {
            outstanding.remove((Integer) over.call());
        } else if (given instanceof Signal.Turn) {
            awaitsTurn = false;
        } else if (given instanceof Signal.Refresh) {
            refreshes++;
        } else if (given instanceof Signal.Claimed && workRunning) {
            claimed = true;
        } else if (given instanceof Signal.WorkEnded) {
            workRunning = false;
        } else if (given instanceof Signal.End end && end.reason() == io.tenure.EndReason.RELEASED) {
            releaseAsked = true;
        }
    }

    void after(List<Effect> effects) {
        trail.add(new Step(now, from, machine.phase(), signal, effects));
        if (trail.size() > 30) {
            trail.remove();
        }
        boolean wasOver = retired > 0;
        for (Effect effect : effects) {
            check(
                    !wasOver || effect instanceof Effect.Refreshed || effect instanceof Effect.ReleaseDone,
                    "nothing after the end but refusals");
            follow(effect);
        }
        check((machine.phase() == Phase.OVER) == (retired == 1), "over exactly when retired");
        check(
                current == null || machine.phase() != Phase.WAITING && machine.phase() != Phase.HOLDING,
                "nothing is under way");
        check(
                current != null || machine.phase() != Phase.ATTEMPTING && machine.phase() != Phase.RENEWING,
                "a call is under way");
        boolean holds = machine.phase() == Phase.HOLDING || machine.phase() == Phase.RENEWING;
        check(held == holds, "held in Holding and Renewing only");
        if (held) {
            check(machine.nextTimer() <= deadline, "its end is noticed by timer");
            check(!(signal instanceof Signal.Tick) || now < deadline, "no tick leaves a lease beyond its deadline");
        }
        if (machine.phase() == Phase.WAITING || machine.phase() == Phase.ATTEMPTING) {
            check(machine.nextTimer() <= budgetEnd, "the budget's end is noticed by timer");
        }
        if (machine.phase() == Phase.OVER) {
            check(machine.nextTimer() == LeaseMachine.NEVER, "no timer after the end");
            check(!inLine, "not in the line after the end");
            check(elected == null, "who was elected has stepped down");
            check(refreshes == 0, "every refresh was answered");
            check(!releaseAsked, "every release was answered");
        }
    }

    private void follow(Effect effect) {
        if (effect instanceof Effect.SendAcquire send) {
            acquires(send);
        } else if (effect instanceof Effect.SendRenew send) {
            check(begun && !released && send.token() == token, "renews what it has");
            check(
                    held || machine.phase() == Phase.DRAINING && workRunning,
                    "renews while held, or for the work's sake");
            sent(new Sent(send.call(), What.RENEW, now, send.attempt()));
        } else if (effect instanceof Effect.SendRelease send) {
            check(begun && !held && !released && send.token() == token, "releases once what it had");
            check(!send.holdFor().isNegative(), "keeps the name for a time");
            released = true;
            sent(new Sent(send.call(), What.RELEASE, now, send.attempt()));
        } else if (effect instanceof Effect.Abandon abandon) {
            abandons(abandon);
        } else if (effect instanceof Effect.Disown disown) {
            check(disown.attempt() == attempt && unanswered, "disowns what may have been granted");
            unanswered = false;
        } else if (effect instanceof Effect.JoinLine) {
            check(!inLine, "queues up once");
            inLine = true;
            awaitsTurn = true;
            check(now >= steppedDownAt, "holds off after a voluntary end");
        } else if (effect instanceof Effect.LeaveLine) {
            check(inLine, "leaves a line it is in");
            inLine = false;
        } else if (effect instanceof Effect.Begin begin) {
            begins(begin);
        } else if (effect instanceof Effect.StartWork) {
            check(profile.work() && !workRunning, "one work at a time");
            workRunning = true;
            claimed = false;
        } else if (effect instanceof Effect.Publish) {
            check(held && !published, "published once, while held");
            check(!profile.claims() || claimed, "published after the claims");
            published = true;
        } else if (effect instanceof Effect.Extend extend) {
            check(held && answered != null && answered.what() == What.RENEW, "extended by a renewal");
            check(
                    extend.deadline() == answered.at() + profile.ttl() && extend.deadline() >= deadline,
                    "from when it was sent");
            check(now < deadline, "extended in time");
            deadline = extend.deadline();
        } else if (effect instanceof Effect.Finish finish) {
            check(held, "ends once");
            held = false;
            check(
                    finish.reason() != io.tenure.EndReason.EXPIRED || now >= deadline,
                    "expires at its deadline, not before");
        } else if (effect instanceof Effect.Refreshed refreshed) {
            check(
                    refreshed.failure() != null || answered != null && answered.what() == What.RENEW,
                    "refreshed by a renewal");
            refreshes = 0;
        } else if (effect instanceof Effect.ReleaseDone) {
            releaseAsked = false;
        } else if (effect instanceof Effect.Tell told) {
            tells(told.event());
        } else if (effect instanceof Effect.Retire) {
            check(++retired == 1, "retires once");
            check(!held, "no lease is left behind");
            check(!unanswered || begun, "what may have been granted was disowned");
        }
    }

    private void acquires(Effect.SendAcquire send) {
        check(!held && !workRunning, "contends for nothing while it holds or its work runs");
        check(once || inLine && !awaitsTurn, "asks in its turn");
        check(now < budgetEnd, "asks within its budget");
        check(send.attempt() > attempt || unanswered || send.attempt() == attempt, "numbers rise");
        check(send.floor() >= floor, "asks above every token it has seen");
        if (send.takeover() != Takeover.NONE) {
            check(profile.kind() == LeaseKind.ELECTION, "locks never take over");
            check(outstanding.isEmpty() && !unanswered, "takes over only when nothing is unanswered");
        }
        if (send.takeover() == Takeover.ANY_INCARNATION) {
            check(!duelSpent, "one duel in a life");
            duelSpent = true;
        }
        attempt = send.attempt();
        sent(new Sent(send.call(), What.ACQUIRE, now, attempt));
    }

    private void sent(Sent send) {
        check(current == null, "one call at a time");
        current = send;
        history.add(send);
    }

    private void abandons(Effect.Abandon abandon) {
        check(current != null && current.call() == abandon.call(), "abandons the call that is under way");
        boolean goesOn = machine.phase() == Phase.HOLDING
                || machine.phase() == Phase.RENEWING
                || machine.phase() == Phase.WAITING && from == Phase.ATTEMPTING;
        check(!goesOn || outstanding.isEmpty(), "one abandoned call at a time");
        unanswered |= current.what() == What.ACQUIRE;
        outstanding.add(abandon.call());
        current = null;
    }

    private void begins(Effect.Begin begin) {
        check(!held && answered != null && answered.what() == What.ACQUIRE, "begins with a grant");
        check(
                begin.deadline() == answered.at() + profile.ttl() && now < begin.deadline(),
                "counted from when it was sent");
        begun = true;
        held = true;
        released = false;
        published = false;
        token = begin.token();
        deadline = begin.deadline();
        floor = Math.max(floor, token);
    }

    private void tells(TenureEvent event) {
        if (event instanceof TenureEvent.Elected told) {
            check(elected == null && held && told.token() == token, "elected once a term");
            elected = told.token();
        } else if (event instanceof TenureEvent.SteppedDown told) {
            check(elected != null && elected == told.token() && !held, "steps down from what it was elected to");
            elected = null;
            steppedDownAt = told.reason().isLoss()
                    ? now
                    : told.reason() == io.tenure.EndReason.WORK_FAILED
                            ? now + profile.retryEvery() * 4 / 5
                            : now + profile.retryEvery();
        } else if (event instanceof TenureEvent.LockAcquired || event instanceof TenureEvent.LockReleased) {
            check(profile.kind() == LeaseKind.LOCK, "of a lock");
        }
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what + ": " + this);
        }
    }

    @Override
    public String toString() {
        return profile + "\n"
                + String.join("\n", trail.stream().map(Step::toString).toList());
    }

    private record Step(
            long at, Phase from, Phase to, @Nullable Signal signal, List<Effect> effects) {}
}
