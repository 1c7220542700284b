package io.tenure.internal.machine;

import java.util.List;
import java.util.stream.Stream;

/**
 * The numbers of a lease's calls to the store. At most one call is current, and while a lease goes on at most one more
 * has been abandoned and not come to its end: a client that hangs is not given a third. The end of a lease abandons what
 * is under way in any case, so that more than one may be outstanding after it.
 */
final class Calls {
    private int last;
    private int current;
    private List<Integer> abandoned = List.of(); // two at once are rare, and most leases never have one
    private long sentAt;
    private long bound;
    private boolean kept;

    int begin(long now, long span) {
        current = ++last;
        sentAt = now;
        bound = now + span;
        kept = false;
        return current;
    }

    boolean isCurrent(int call) {
        return call == current && call != 0;
    }

    boolean isUnderWay() {
        return current != 0;
    }

    int current() {
        return current;
    }

    int drawn() {
        return last;
    }

    long sentAt() {
        return sentAt;
    }

    /** When the current call is given up; never, while it is kept for want of a free place. */
    long bound() {
        return kept && !canAbandon() ? LeaseMachine.NEVER : bound;
    }

    void done() {
        current = 0;
    }

    boolean canAbandon() {
        return abandoned.isEmpty();
    }

    int abandon() {
        int given = current;
        abandoned = canAbandon()
                ? List.of(given)
                : Stream.concat(abandoned.stream(), Stream.of(given)).toList();
        current = 0;
        return given;
    }

    /** Keeps awaiting the current call past its bound, until an abandoned one is over. */
    void keep() {
        kept = true;
    }

    /** Whether the current call has been kept past its bound, which was told then. */
    boolean isKept() {
        return kept;
    }

    void over(int call) {
        if (!canAbandon()) {
            abandoned = abandoned.stream().filter(other -> other != call).toList();
        }
    }
}
