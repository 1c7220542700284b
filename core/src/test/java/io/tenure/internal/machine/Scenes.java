package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;

/** Benches in the situations from which several tests start. */
final class Scenes {
    static final StoreException REFUSED = StoreException.permanent("NOPERM: allow SET for 'n'");
    static final TenureEvent.SteppedDown RESIGNED = new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.RESIGNED);

    private Scenes() {}

    /** A wait for a lock without a budget, its first attempt sent. */
    static Bench waiting(Setting setting) {
        Bench bench = Bench.waiter(setting, LeaseMachine.NEVER);
        bench.turn();
        return bench;
    }

    /** A candidacy, its first attempt sent. */
    static Bench standing() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();
        return bench;
    }

    /** A term whose work runs and may take 1,500 ms to end, its first renewal answered. */
    static Bench working() {
        Bench bench = Bench.leader(Setting.election().work().drainTimeout(1_500));
        bench.renewed();
        return bench;
    }

    /** The holder of token 10 resigns. */
    static void resign(Bench bench) {
        bench.on(new Signal.End(EndReason.RESIGNED, 10));
    }
}
