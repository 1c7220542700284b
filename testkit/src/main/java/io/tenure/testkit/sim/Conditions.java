package io.tenure.testkit.sim;

import io.tenure.TokenSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Under what a history runs. Not every history has every fault: what hides behind frequent faults shows where those are
 * absent. Spans are in nanoseconds.
 *
 * @param nodes how many processes live at a time
 * @param roles how many names are elected for
 * @param locks how many names are locked
 * @param ttl of the roles; that of a lock is half of it
 * @param renewEvery of the roles
 * @param retryEvery of the roles
 * @param length how long faults go on
 * @param tokens what the server counts from
 * @param loss how probably a message is lost
 * @param duplication how probably one arrives twice
 * @param lag how probably one takes long, and then up to {@code longDelay}
 * @param delay how long one takes usually, at most
 * @param longDelay how long one may take
 * @param timerLag how late a timer may go off
 * @param drift how much faster or slower than the server's a node's clock may run, in millionths
 * @param pushes whether releases are announced
 * @param shared whether two live nodes have one holder id
 * @param faults what else happens
 * @param pace how long it is from one fault to the next, at most
 */
record Conditions(
        int nodes,
        int roles,
        int locks,
        long ttl,
        long renewEvery,
        long retryEvery,
        long length,
        TokenSource tokens,
        double loss,
        double duplication,
        double lag,
        long delay,
        long longDelay,
        long timerLag,
        int drift,
        boolean pushes,
        boolean shared,
        List<Fault> faults,
        long pace) {

    static final long MILLI = 1_000_000;

    /** What can go wrong, or be done. */
    enum Fault {
        PAUSE,
        CRASH,
        CLOSE,
        CUT_OFF,
        OUTAGE,
        SLOWNESS,
        LOSE_DATA,
        LOSE_COUNTER,
        LOSE_MARK,
        EVICT,
        RESIGN
    }

    static Conditions drawn(Chance chance) {
        long ttl = chance.between(4, 20) * 100 * MILLI;
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            if (chance.of(0.55)) {
                faults.add(fault);
            }
        }
        faults.add(Fault.RESIGN);
        return new Conditions(
                (int) chance.between(2, 5),
                (int) chance.between(1, 2),
                (int) chance.between(0, 2),
                ttl,
                chance.of(0.3) ? ttl / chance.between(2, 8) / MILLI * MILLI : ttl / 100 * 32,
                chance.of(0.3) ? Math.max(MILLI, ttl / chance.between(2, 20)) / MILLI * MILLI : ttl / 2,
                chance.between(24, 34) * ttl,
                chance.of(0.5) ? TokenSource.STORE_CLOCK : TokenSource.COUNTER,
                chance.of(0.5) ? chance.between(1, 20) / 100.0 : 0,
                chance.of(0.5) ? chance.between(1, 15) / 100.0 : 0,
                chance.of(0.5) ? chance.between(1, 10) / 100.0 : 0,
                chance.of(0.2) ? ttl / 10 : chance.between(1, 5) * MILLI,
                chance.between(1, 25) * ttl / 10,
                chance.of(0.3) ? chance.between(1, 30) * MILLI : 0,
                chance.of(0.3) ? (int) chance.between(1, 1_000) : 0,
                chance.of(0.8),
                chance.of(0.2),
                List.copyOf(faults),
                chance.between(5, 15) * ttl / 10);
    }

    /** The same on a server whose tokens rise with its clock. */
    Conditions countedByTheClock() {
        return new Conditions(
                nodes,
                roles,
                locks,
                ttl,
                renewEvery,
                retryEvery,
                length,
                TokenSource.STORE_CLOCK,
                loss,
                duplication,
                lag,
                delay,
                longDelay,
                timerLag,
                drift,
                pushes,
                shared,
                faults,
                pace);
    }

    long lockTtl() {
        return ttl / 2 / MILLI * MILLI;
    }

    List<Subject> subjects() {
        List<Subject> all = new ArrayList<>();
        for (int i = 0; i < roles; i++) {
            all.add(Subject.role(i));
        }
        for (int i = 0; i < locks; i++) {
            all.add(Subject.lock(i));
        }
        return List.copyOf(all);
    }
}
