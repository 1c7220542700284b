package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/** Spans that must never be shorter than they should, and may be a little longer. */
final class Lateness {
    private static final Duration MOST = Duration.ofSeconds(1);
    private static final Duration USUAL = Duration.ofMillis(100);

    private Lateness() {}

    /** None too early; nine of ten late by 100 ms at most, and none by more than a second. */
    static void assertOnTime(String what, List<Duration> spans, Duration due) {
        List<Duration> sorted = spans.stream().sorted().toList();
        assertThat(sorted.get(0)).as(what + ", the shortest").isGreaterThanOrEqualTo(due);
        assertThat(sorted.get(sorted.size() - 1)).as(what + ", the longest").isLessThanOrEqualTo(due.plus(MOST));
        assertThat(sorted.get((sorted.size() * 9 + 9) / 10 - 1))
                .as(what + ", nine of ten")
                .isLessThanOrEqualTo(due.plus(USUAL));
    }
}
