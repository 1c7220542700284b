package io.tenure.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Those who wait for a lease, by their first arrival, as the lease's row has them: {@code incarnation-until#} for each,
 * where {@code until} is the moment, in microseconds of the epoch by the server's clock, from which a waiter is taken to
 * have vanished; {@code incarnation-until-channel#} for one that hears what is said on a channel. Neither part contains one
 * of the signs. Immutable.
 */
final class WaitingLine {
    private static final String BETWEEN = "#";
    private static final String WITHIN = "-";
    private static final int TOLD = 2;
    /** How much later than the first the second looks, lest a paused first strands the rest. */
    private static final long SECOND_LOOKS_LATER_MILLIS = 50;
    /** Whoever is told has this long to ask again: nobody can tell whether it heard. */
    private static final long ANSWERS_WITHIN_MILLIS = 2_000;

    private final List<Waiter> waiters;

    private record Waiter(String incarnation, long until, String channel) {}

    /** What is to be said on a channel: {@code incarnation} looks in so many milliseconds. */
    record Word(String channel, String incarnation, long afterMillis) {}

    /** The line once that was said. */
    record Told(WaitingLine line, List<Word> words) {}

    private WaitingLine(List<Waiter> waiters) {
        this.waiters = waiters;
    }

    /** The line as of {@code now}: whoever has vanished is not in it any more. What cannot be read is nobody. */
    static WaitingLine of(String text, long now) {
        List<Waiter> waiters = new ArrayList<>();
        for (String each : text.split(BETWEEN, -1)) {
            String[] parts = each.split(WITHIN, -1);
            long until = parts.length < 2 || parts.length > 3 || parts[0].isEmpty() ? 0 : number(parts[1]);
            if (until > now) {
                waiters.add(new Waiter(parts[0], until, parts.length == 3 ? parts[2] : ""));
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

    /** As the other one, for a waiter that hears nothing. */
    Optional<WaitingLine> entered(String incarnation, long now, Duration lineFor) {
        return entered(incarnation, "", now, lineFor);
    }

    /**
     * The line in which {@code incarnation} stands for at least twice {@code lineFor} from {@code now}, at its place or at the
     * end; empty when it does so already. A little longer is written down, so that not every look has to be.
     *
     * @param channel where it hears; empty for nowhere
     */
    Optional<WaitingLine> entered(String incarnation, String channel, long now, Duration lineFor) {
        long period = lineFor.toNanos() / 1_000;
        int place = place(incarnation);
        if (place > 0) {
            Waiter known = waiters.get(place - 1);
            if (known.until() >= now + 2 * period && known.channel().equals(channel)) {
                return Optional.empty();
            }
        }
        Waiter entering = new Waiter(incarnation, now + 2 * period + period * 7 / 16, channel);
        List<Waiter> entered = new ArrayList<>(waiters);
        if (place > 0) {
            entered.set(place - 1, entering);
        } else {
            entered.add(entering);
        }
        return Optional.of(new WaitingLine(entered));
    }

    /**
     * Tells the first of those who hear to look in {@code afterMillis}, and the second a little later. They keep their
     * places, since somebody else may be faster, for as long as it takes to ask again.
     */
    Told told(long now, long afterMillis) {
        List<Waiter> line = new ArrayList<>();
        List<Word> words = new ArrayList<>();
        for (Waiter waiter : waiters) {
            if (waiter.channel().isEmpty() || words.size() == TOLD) {
                line.add(waiter);
            } else {
                long after = afterMillis + words.size() * SECOND_LOOKS_LATER_MILLIS;
                long answersBy = now + (after + ANSWERS_WITHIN_MILLIS) * 1_000;
                words.add(new Word(waiter.channel(), waiter.incarnation(), after));
                line.add(new Waiter(waiter.incarnation(), Math.min(waiter.until(), answersBy), waiter.channel()));
            }
        }
        return new Told(new WaitingLine(line), List.copyOf(words));
    }

    WaitingLine without(String incarnation) {
        return new WaitingLine(waiters.stream()
                .filter(waiter -> !waiter.incarnation().equals(incarnation))
                .toList());
    }

    /** Finds the entry of {@code incarnation} in a text that starts with the sign that is between two. */
    static String entryPattern(String incarnation) {
        return Pattern.compile("\\p{Punct}")
                        .matcher(BETWEEN + incarnation + WITHIN)
                        .replaceAll("\\\\$0") + "[0-9]*(-[a-z0-9_]*)?";
    }

    /** As the row keeps it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Waiter waiter : waiters) {
            text.append(text.length() == 0 ? "" : BETWEEN)
                    .append(waiter.incarnation())
                    .append(WITHIN)
                    .append(waiter.until())
                    .append(waiter.channel().isEmpty() ? "" : WITHIN + waiter.channel());
        }
        return text.toString();
    }
}
