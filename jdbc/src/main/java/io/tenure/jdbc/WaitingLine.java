package io.tenure.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Those who wait for a lease, by their first arrival, as the lease's row has them: {@code incarnation-until#} for each,
 * where {@code until} is the moment, in microseconds of the epoch by the server's clock, from which a waiter is taken to
 * have vanished. Incarnations contain neither sign. Immutable.
 */
final class WaitingLine {
    private static final String BETWEEN = "#";
    private static final char BEFORE_UNTIL = '-';

    private final List<Waiter> waiters;

    private record Waiter(String incarnation, long until) {}

    private WaitingLine(List<Waiter> waiters) {
        this.waiters = waiters;
    }

    /** The line as of {@code now}: whoever has vanished is not in it any more. What cannot be read is nobody. */
    static WaitingLine of(String text, long now) {
        List<Waiter> waiters = new ArrayList<>();
        for (String each : text.split(BETWEEN, -1)) {
            int sign = each.lastIndexOf(BEFORE_UNTIL);
            long until = sign < 1 ? 0 : number(each.substring(sign + 1));
            if (until > now) {
                waiters.add(new Waiter(each.substring(0, sign), until));
            }
        }
        return new WaitingLine(waiters);
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** From 1; 0 when it is not in line. */
    int place(String incarnation) {
        for (int i = 0; i < waiters.size(); i++) {
            if (waiters.get(i).incarnation().equals(incarnation)) {
                return i + 1;
            }
        }
        return 0;
    }

    /**
     * The line in which {@code incarnation} stands for at least twice {@code lineFor} from {@code now}, at its place or at the
     * end; empty when it does so already. A little longer is written down, so that not every look has to be.
     */
    Optional<WaitingLine> entered(String incarnation, long now, Duration lineFor) {
        long period = lineFor.toNanos() / 1_000;
        int place = place(incarnation);
        if (place > 0 && waiters.get(place - 1).until() >= now + 2 * period) {
            return Optional.empty();
        }
        Waiter entering = new Waiter(incarnation, now + 2 * period + period * 7 / 16);
        List<Waiter> entered = new ArrayList<>(waiters);
        if (place > 0) {
            entered.set(place - 1, entering);
        } else {
            entered.add(entering);
        }
        return Optional.of(new WaitingLine(entered));
    }

    WaitingLine without(String incarnation) {
        return new WaitingLine(waiters.stream()
                .filter(waiter -> !waiter.incarnation().equals(incarnation))
                .toList());
    }

    /** Finds the entry of {@code incarnation} in a text that starts with the sign that is between two. */
    static String entryPattern(String incarnation) {
        return Pattern.compile("\\p{Punct}")
                        .matcher(BETWEEN + incarnation + BEFORE_UNTIL)
                        .replaceAll("\\\\$0") + "[0-9]*";
    }

    /** As the row keeps it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Waiter waiter : waiters) {
            text.append(text.length() == 0 ? "" : BETWEEN)
                    .append(waiter.incarnation())
                    .append(BEFORE_UNTIL)
                    .append(waiter.until());
        }
        return text.toString();
    }
}
