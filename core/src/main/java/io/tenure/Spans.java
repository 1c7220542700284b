package io.tenure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** The rules that the durations of options share. */
final class Spans {
    static final Duration SHORTEST = Duration.ofMillis(1);
    static final Duration LONGEST = Duration.ofDays(365);

    private Spans() {}

    static Duration positive(String what, Duration value) {
        if (value.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(what + " is " + text(value) + ": it has to be at least 1 ms");
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " is " + text(value) + ": it has to be at most 365 days");
        }
        return value.truncatedTo(ChronoUnit.MILLIS);
    }

    static Duration within(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    what + " is " + text(value) + ": it has to be from " + text(least) + " to " + text(most));
        }
        return value.truncatedTo(ChronoUnit.MILLIS);
    }

    static void atMost(
            String what, Duration value, String bound, Duration limit, String of, Duration ofValue, String reason) {
        if (value.compareTo(limit) > 0) {
            throw new IllegalArgumentException(what + " " + text(value) + " is above " + bound + " (" + text(limit)
                    + "; " + of + " is " + text(ofValue) + "): " + reason);
        }
    }

    static void below(String what, Duration value, String bound, Duration limit, String reason) {
        if (value.compareTo(limit) >= 0) {
            throw new IllegalArgumentException(
                    what + " " + text(value) + " is not below " + bound + " " + text(limit) + ": " + reason);
        }
    }

    static Duration percent(int hundredths, Duration of) {
        return of.multipliedBy(hundredths).dividedBy(100).truncatedTo(ChronoUnit.MILLIS);
    }

    static String text(Duration value) {
        boolean countable = Math.abs(value.toSeconds() / 2) < LONGEST.toSeconds();
        if (!countable || value.toNanosPart() % 1_000_000 != 0) {
            return value.toString();
        }
        long millis = value.toMillis();
        return Math.abs(millis) >= 86_400_000 && millis % 86_400_000 == 0
                ? millis / 86_400_000 + " days"
                : millis + " ms";
    }
}
