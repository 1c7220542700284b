package io.tenure.internal.machine;

import static io.tenure.internal.machine.Phase.ATTEMPTING;
import static io.tenure.internal.machine.Phase.DRAINING;
import static io.tenure.internal.machine.Phase.HOLDING;
import static io.tenure.internal.machine.Phase.OVER;
import static io.tenure.internal.machine.Phase.RENEWING;
import static io.tenure.internal.machine.Phase.WAITING;

import io.tenure.EndReason;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The transition table: what each phase does with each signal, and where that may lead. */
public final class Transitions {

    /** What is done. */
    interface Action {
        void apply(LeaseMachine machine, Signal signal, long now);
    }

    /** As {@link Action}, for one kind of signal. */
    private interface TypedAction<S extends Signal> {
        void apply(LeaseMachine machine, S signal, long now);
    }

    /**
     * One row of the table.
     *
     * @param from the phase
     * @param on the signal
     * @param to where it may lead
     * @param meaning what it means, for the documentation
     * @param action what is done
     */
    record Row(Phase from, Class<? extends Signal> on, Set<Phase> to, String meaning, Action action) {}

    private static final List<Row> ROWS = new ArrayList<>();
    private static final Map<Phase, Map<Class<?>, Row>> INDEX = new HashMap<>();

    static {
        contending();
        holding();
        draining();
        over();
        for (Row row : ROWS) {
            INDEX.computeIfAbsent(row.from, phase -> new HashMap<>()).put(row.on, row);
        }
    }

    private Transitions() {}

    private static void contending() {
        row(
                WAITING,
                Signal.Turn.class,
                "first in the local line: ask at once",
                (m, s, now) -> Contending.turn(m, now),
                ATTEMPTING,
                OVER);
        row(
                WAITING,
                Signal.Wake.class,
                "a push: ask now, or when it says; or it is too late",
                Contending::wokenWaiting,
                WAITING,
                ATTEMPTING,
                OVER);
        row(
                WAITING,
                Signal.Tick.class,
                "time to ask, to queue up again, or to give up",
                (m, s, now) -> Contending.tickWaiting(m, now),
                WAITING,
                ATTEMPTING,
                OVER);
        row(WAITING, Signal.End.class, "leave the line", (m, s, now) -> Contending.end(m, s), WAITING, OVER);
        row(WAITING, Signal.Refresh.class, "there is nothing to refresh", (m, s, now) -> notHeld(m), WAITING);
        ignore(WAITING, Signal.WorkEnded.class);
        ignore(WAITING, Signal.Claimed.class);

        row(
                ATTEMPTING,
                Signal.Granted.class,
                "granted: begin to hold; a role is renewed at once; too late: as unanswered; after maxHold: end",
                Contending::granted,
                HOLDING,
                RENEWING,
                DRAINING,
                WAITING,
                OVER);
        row(
                ATTEMPTING,
                Signal.Denied.class,
                "somebody has it: wait for the push or the expiry",
                Contending::denied,
                WAITING,
                ATTEMPTING,
                OVER);
        row(
                ATTEMPTING,
                Signal.Failed.class,
                "the store failed: back off, or ask again at the push that came meanwhile, or give up when it refused for good",
                Contending::attemptFailed,
                WAITING,
                OVER);
        row(
                ATTEMPTING,
                Signal.Tick.class,
                "no answer in time: abandon the call, or await it when one is abandoned already",
                (m, s, now) -> Contending.tickAttempting(m, now),
                ATTEMPTING,
                WAITING,
                OVER);
        row(
                ATTEMPTING,
                Signal.Wake.class,
                "a push overtook the denial: remember it",
                Contending::wokenAttempting,
                ATTEMPTING);
        row(
                ATTEMPTING,
                Signal.End.class,
                "disown what may be granted, and leave the line",
                (m, s, now) -> Contending.end(m, s),
                ATTEMPTING,
                OVER);
        row(ATTEMPTING, Signal.Refresh.class, "there is nothing to refresh", (m, s, now) -> notHeld(m), ATTEMPTING);
        ignore(ATTEMPTING, Signal.Turn.class);
        ignore(ATTEMPTING, Signal.WorkEnded.class);
        ignore(ATTEMPTING, Signal.Claimed.class);
    }

    private static void holding() {
        row(
                HOLDING,
                Signal.Tick.class,
                "renew, warn, or end: expired, held for as long as it may, or its fences are not claimed in time",
                (m, s, now) -> Holding.tick(m, now),
                HOLDING,
                RENEWING,
                DRAINING,
                WAITING,
                OVER);
        row(
                RENEWING,
                Signal.Tick.class,
                "no answer in time: abandon the renewal, and send the next; or expired",
                (m, s, now) -> Holding.tick(m, now),
                RENEWING,
                HOLDING,
                DRAINING,
                WAITING,
                OVER);
        row(
                RENEWING,
                Signal.Renewed.class,
                "extended, counted from when the renewal was sent",
                Holding::renewed,
                HOLDING,
                RENEWING,
                DRAINING,
                WAITING,
                OVER);
        row(RENEWING, Signal.Lost.class, "lost", Holding::renewalAnsweredLost, DRAINING, WAITING, OVER);
        row(
                RENEWING,
                Signal.Failed.class,
                "the store failed: the next renewal follows",
                Holding::renewalCallFailed,
                HOLDING,
                RENEWING,
                DRAINING,
                WAITING,
                OVER);
        for (Phase phase : List.of(HOLDING, RENEWING)) {
            row(
                    phase,
                    Signal.End.class,
                    "give it up: release, once the work has ended",
                    Draining::ended,
                    phase,
                    DRAINING,
                    WAITING,
                    OVER);
            row(
                    phase,
                    Signal.WorkEnded.class,
                    "the work ended: release; after the deadline, or refused by its own fence: lost",
                    Holding::workEnded,
                    DRAINING,
                    WAITING,
                    OVER);
            row(
                    phase,
                    Signal.Claimed.class,
                    "the fences are claimed: elected",
                    (m, s, now) -> Holding.claimed(m),
                    phase);
            row(
                    phase,
                    Signal.Refresh.class,
                    "extend now, or after the renewal under way",
                    (m, s, now) -> Holding.refresh(m, now),
                    RENEWING,
                    DRAINING,
                    WAITING,
                    OVER);
            ignore(phase, Signal.Wake.class);
            ignore(phase, Signal.Turn.class);
        }
    }

    private static void draining() {
        row(
                DRAINING,
                Signal.Tick.class,
                "renew for the work's sake; overrun: burn the token and release; no answer: go on",
                (m, s, now) -> Draining.tick(m, now),
                DRAINING,
                WAITING,
                OVER);
        row(
                DRAINING,
                Signal.Renewed.class,
                "extended for the work's sake",
                (m, s, now) -> Draining.renewed(m, now),
                DRAINING,
                OVER);
        row(
                DRAINING,
                Signal.Lost.class,
                "the claim is lost before the work ended",
                Draining::renewalAnsweredLost,
                DRAINING);
        row(
                DRAINING,
                Signal.Failed.class,
                "the renewal or the release failed",
                Draining::callFailed,
                DRAINING,
                WAITING,
                OVER);
        row(
                DRAINING,
                Signal.Released.class,
                "released: stand again, or end",
                Draining::released,
                DRAINING,
                WAITING,
                OVER);
        row(
                DRAINING,
                Signal.WorkEnded.class,
                "the work ended: release, or stand again, or end",
                Draining::workEnded,
                DRAINING,
                WAITING,
                OVER);
        row(DRAINING, Signal.End.class, "close the candidacy too", Draining::endedAgain, DRAINING, OVER);
        row(DRAINING, Signal.Refresh.class, "there is nothing to refresh", (m, s, now) -> notHeld(m), DRAINING);
        ignore(DRAINING, Signal.Claimed.class);
        ignore(DRAINING, Signal.Wake.class);
        ignore(DRAINING, Signal.Turn.class);
    }

    private static void over() {
        row(
                OVER,
                Signal.End.class,
                "a release comes too late",
                (m, s, now) -> {
                    if (s.reason() == EndReason.RELEASED) {
                        m.emit(new Effect.ReleaseDone(Holding.lost(m, endOf(m))));
                    }
                },
                OVER);
        row(OVER, Signal.Refresh.class, "there is nothing to refresh", (m, s, now) -> notHeld(m), OVER);
        ignore(OVER, Signal.Turn.class);
        ignore(OVER, Signal.Wake.class);
        ignore(OVER, Signal.Tick.class);
        ignore(OVER, Signal.WorkEnded.class);
        ignore(OVER, Signal.Claimed.class);
        for (Phase phase : Phase.values()) {
            row(
                    phase,
                    Signal.CallOver.class,
                    "an abandoned call ended: its place is free",
                    (m, s, now) -> m.calls.over(s.call()),
                    phase);
        }
    }

    private static EndReason endOf(LeaseMachine machine) {
        Hold hold = machine.hold;
        if (hold != null && hold.end != null) {
            return hold.end;
        }
        return machine.closing == null ? EndReason.EXPIRED : machine.closing;
    }

    private static void notHeld(LeaseMachine machine) {
        machine.emit(new Effect.Refreshed(Holding.lost(machine, endOf(machine))));
    }

    private static <S extends Signal> void row(
            Phase from, Class<S> on, String meaning, TypedAction<S> action, Phase first, Phase... more) {
        ROWS.add(new Row(
                from,
                on,
                Set.copyOf(EnumSet.of(first, more)),
                meaning,
                (machine, signal, now) -> action.apply(machine, on.cast(signal), now)));
    }

    private static void ignore(Phase phase, Class<? extends Signal> on) {
        ROWS.add(new Row(phase, on, Set.of(phase), "no matter any more", (machine, signal, now) -> {}));
    }

    static Row row(Phase from, Signal signal) {
        Map<Class<?>, Row> rows = INDEX.get(from);
        Row row = rows == null ? null : rows.get(signal.getClass());
        if (row == null) {
            throw new IllegalStateException("no row for " + signal + " in " + from);
        }
        return row;
    }

    /** The table, in the order in which it is written. */
    static List<Row> rows() {
        return List.copyOf(ROWS);
    }
}
