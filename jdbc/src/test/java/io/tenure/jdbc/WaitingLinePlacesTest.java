package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who stands where in it, and for how long. */
class WaitingLinePlacesTest {
    private static final Duration PERIOD = Duration.ofMillis(1);
    private static final WaitingLine EMPTY = WaitingLine.of("", 0);

    private static WaitingLine entered(WaitingLine line, String waiter, long now) {
        return WaitingLine.of(line.entered(waiter, now, PERIOD).orElse(line).toString(), now);
    }

    @Test
    void law21_waiters_stand_by_their_first_arrival_and_keep_their_place() {
        WaitingLine line = entered(entered(entered(EMPTY, "a", 0), "b", 1), "a", 1_500);

        assertThat(line.place("a")).isEqualTo(1);
        assertThat(line.place("b")).isEqualTo(2);
        assertThat(line.place("c")).isZero();
    }

    @Test
    void law21_a_waiter_is_in_line_for_twice_its_period_and_written_down_again_only_when_that_is_at_stake() {
        WaitingLine line = entered(EMPTY, "a", 0);

        assertThat(line.entered("a", 400, PERIOD)).isEmpty();
        assertThat(line.entered("a", 500, PERIOD)).isPresent();
        assertThat(WaitingLine.of(line.toString(), 2_000).place("a")).isEqualTo(1);
        assertThat(WaitingLine.of(line.toString(), 2_500).place("a")).isZero();
    }

    @Test
    void law21_who_vanished_and_comes_back_stands_at_the_end() {
        WaitingLine line = entered(entered(EMPTY, "a", 0), "b", 1_000);

        assertThat(entered(WaitingLine.of(line.toString(), 2_600), "a", 2_600).place("a"))
                .isEqualTo(2);
    }

    @Test
    void who_leaves_takes_nobody_along() {
        WaitingLine line = entered(entered(entered(EMPTY, "ab", 0), "a", 0), "b", 0);

        assertThat(line.without("a").place("ab")).isEqualTo(1);
        assertThat(line.without("a").place("b")).isEqualTo(2);
        assertThat(line.without("a").place("a")).isZero();
    }

    @Test
    void text_that_is_no_line_is_nobody() {
        assertThat(WaitingLine.of("#-#x#-5#y-z#q-7", 6).toString()).isEqualTo("q-7");
    }

    @Test
    void the_pattern_finds_its_own_entry_only() {
        assertThat("#a.b-17#axb-18".replaceAll(WaitingLine.entryPattern("a.b"), ""))
                .isEqualTo("#axb-18");
    }
}
