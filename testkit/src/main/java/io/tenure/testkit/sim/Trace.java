package io.tenure.testkit.sim;

import io.tenure.TenureEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * What happened, as a running hash and, when wanted, as text. Nothing random that is not drawn from the seed may enter:
 * incarnations do not.
 */
@SuppressWarnings("EnumOrdinal") // the hash takes any number that a run with the same seed takes again
final class Trace {
    private final Recording recording;
    private final List<String> lines = new ArrayList<>();
    private long hash = 0xCBF29CE484222325L;

    /** Whether the text is kept. */
    enum Recording {
        HASH_ONLY,
        LINES
    }

    /** What can happen. The order matters to no one but the hash. */
    enum What {
        STARTED,
        CRASHED,
        CLOSING,
        CLOSED,
        PAUSED,
        RESUMED,
        CUT_OFF,
        SERVER_DOWN,
        SERVER_UP,
        SLOW,
        CALM,
        DATA_LOST,
        COUNTER_LOST,
        MARK_LOST,
        EVICTED,
        CAMPAIGN,
        WITHDRAW,
        RESIGN,
        ASKED,
        CANCELLED,
        SERVED,
        UNSERVED,
        FAILED,
        RELEASING,
        WRITE_SENT,
        WRITE_ACCEPTED,
        WRITE_REFUSED,
        SEND_ACQUIRE,
        SEND_RENEW,
        SEND_RELEASE,
        GRANTED,
        DENIED,
        RENEWED,
        LOST,
        RELEASED,
        NOT_RELEASED,
        REFUSED,
        ANSWERED,
        PUSHED,
        AWAITING,
        LEAVING_LINE,
        WORK_STARTED,
        WORK_INTERRUPTED,
        WORK_ENDED,
        EVENT
    }

    Trace(Recording recording) {
        this.recording = recording;
    }

    /** Notes {@code what}, in which node and about which name (-1 for none), with a number that tells more. */
    void note(long at, int node, What what, int subject, long number) {
        mix(at);
        mix(((long) node << 40) ^ ((long) what.ordinal() << 20) ^ subject);
        mix(number);
        if (recording == Recording.LINES) {
            write(at, node, subject, what.name(), number);
        }
    }

    /** Notes what an observer of a node was told. */
    void note(long at, int node, int subject, TenureEvent event, long token) {
        mix(at);
        mix(((long) node << 40) ^ ((long) What.EVENT.ordinal() << 20) ^ subject);
        mix(event.getClass().getName().hashCode());
        mix(event instanceof TenureEvent.SteppedDown down ? down.reason().ordinal() : 0);
        mix(event instanceof TenureEvent.LeaseLost lost ? lost.reason().ordinal() : 0);
        mix(token);
        if (recording == Recording.LINES) {
            write(at, node, subject, "tells " + text(event), token);
        }
    }

    /** An event without what no seed gives back. */
    static String text(TenureEvent event) {
        String name = event.getClass().getSimpleName();
        if (event instanceof TenureEvent.SteppedDown down) {
            return name + " " + down.reason();
        }
        if (event instanceof TenureEvent.LeaseLost lost) {
            return name + " " + lost.reason();
        }
        return name;
    }

    private void write(long at, int node, int subject, String what, long number) {
        StringBuilder line = new StringBuilder(80);
        String micros = Long.toString(at / 1_000 + 1_000_000_000_000L); // a time that has all its leading digits
        line.append(micros, 4, 10).append('.').append(micros, 10, 13).append(" ms  ");
        line.append(node < 0 ? "world" : "node " + node).append(" ".repeat(node < 0 ? 5 : node < 10 ? 4 : 3));
        line.append(subject < 0 ? "-" : Subject.text(subject))
                .append(' ')
                .append(what)
                .append(' ')
                .append(number);
        lines.add(line.toString());
    }

    private void mix(long value) {
        long z = (hash ^ value) * 0xBF58476D1CE4E5B9L;
        hash = (z ^ (z >>> 29)) * 0x94D049BB133111EBL + 1;
    }

    long hash() {
        return hash;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
