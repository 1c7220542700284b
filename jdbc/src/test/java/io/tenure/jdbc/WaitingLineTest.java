package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.jdbc.WaitingLine.Told;
import io.tenure.jdbc.WaitingLine.Word;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** On hand-moved time, in microseconds. */
class WaitingLineTest {
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final long TWICE = 20_000_000;
    private static final long NOW = 1_000_000_000;

    @Test
    void law21_the_first_two_that_hear_are_told_the_second_to_look_later() {
        WaitingLine line = WaitingLine.of("a-9000000000-x#b-9000000000#c-9000000000-y#d-9000000000-z", NOW);

        Told told = line.told(NOW, 7);

        assertThat(told.words()).containsExactly(new Word("x", "a", 7), new Word("y", "c", 57));
    }

    @Test
    void law21_whoever_is_told_has_two_seconds_from_when_it_is_to_look_and_keeps_its_place() {
        WaitingLine line = WaitingLine.of("a-9000000000-x#b-9000000000#c-9000000000-y#d-9000000000-z", NOW);

        WaitingLine after = line.told(NOW, 1_000).line();

        assertThat(after).hasToString("a-1003000000-x#b-9000000000#c-1003050000-y#d-9000000000-z");
        assertThat(WaitingLine.of(after.toString(), 1_003_000_000).place("c")).isEqualTo(2);
        assertThat(WaitingLine.of(after.toString(), 1_003_050_000).place("d")).isEqualTo(2);
    }

    @Test
    void law21_telling_somebody_never_lengthens_its_stay() {
        WaitingLine line = WaitingLine.of("a-1000000500-x", NOW);

        assertThat(line.told(NOW, 0).line()).hasToString("a-1000000500-x");
    }

    @Test
    void law21_with_nobody_who_hears_nobody_is_told() {
        Told told = WaitingLine.of("a-9000000000#b-9000000000", NOW).told(NOW, 0);

        assertThat(told.words()).isEmpty();
        assertThat(told.line()).hasToString("a-9000000000#b-9000000000");
    }

    @Test
    void law21_a_waiter_that_was_told_writes_its_stay_down_again_when_it_asks() {
        WaitingLine line =
                WaitingLine.of("", NOW).entered("a", "x", NOW, PERIOD).orElseThrow();
        assertThat(line.entered("a", "x", NOW, PERIOD)).isEmpty();

        WaitingLine told = line.told(NOW, 0).line();

        assertThat(told.entered("a", "x", NOW + 1, PERIOD))
                .hasValueSatisfying(again -> assertThat(
                                WaitingLine.of(again.toString(), NOW + TWICE).place("a"))
                        .isEqualTo(1));
    }

    @Test
    void law21_a_waiter_whose_hearing_changed_writes_that_down_at_its_place() {
        WaitingLine line = WaitingLine.of("", NOW)
                .entered("a", NOW, PERIOD)
                .flatMap(one -> one.entered("b", "y", NOW, PERIOD))
                .orElseThrow();

        WaitingLine hearing = line.entered("a", "x", NOW, PERIOD).orElseThrow();
        WaitingLine deaf = line.entered("b", NOW, PERIOD).orElseThrow();

        assertThat(hearing.told(NOW, 0).words()).extracting(Word::channel).containsExactly("x", "y");
        assertThat(deaf.told(NOW, 0).words()).isEmpty();
        assertThat(deaf.place("b")).isEqualTo(2);
    }

    @Test
    void law21_what_cannot_be_read_is_nobody() {
        WaitingLine line = WaitingLine.of("#a#-9000000000#b-x#c-9000000000-y-z#-#d-9000000000-y", NOW);

        assertThat(line).hasToString("d-9000000000-y");
    }

    @Test
    void law21_an_entry_is_found_by_its_pattern_whether_it_hears_or_not() {
        String pattern = WaitingLine.entryPattern("a.b");

        assertThat(Pattern.compile(pattern).matcher("#x-1#a.b-22-tenure_0f#y-3").replaceAll(""))
                .isEqualTo("#x-1#y-3");
        assertThat(Pattern.compile(pattern).matcher("#a.b-22#acb-3-tenure_1").replaceAll(""))
                .isEqualTo("#acb-3-tenure_1");
    }
}
