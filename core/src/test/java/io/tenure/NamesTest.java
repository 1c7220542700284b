package io.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"a", " ", " x ", "cleanup:orders", "{tag}:x", "Bericht-Ö", "日本", "😀", "a#b-1", "A", "a/b\\c"})
    void law30_any_well_formed_text_is_a_name_and_nothing_is_trimmed_or_folded(String name) {
        assertThat(Names.require("name", name)).isEqualTo(name);
    }

    @Test
    void law30_a_name_has_up_to_512_bytes() {
        assertThat(Names.require("name", "a".repeat(512))).hasSize(512);
        assertThat(Names.require("name", "ö".repeat(256))).hasSize(256);
        assertThat(Names.require("name", "😀".repeat(128))).hasSize(256);

        for (String name : new String[] {"a".repeat(513), "ö".repeat(256) + "a", "日".repeat(171), "😀".repeat(129)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Names.require("name", name))
                    .withMessageContaining("name")
                    .withMessageContaining("512")
                    .withMessageContaining("bytes");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "\u0000", "x\u007f", "\u0085", "tab\t"})
    void law30_a_control_character_is_refused_and_shown_harmlessly(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.require("holder", name))
                .withMessageContaining("holder")
                .withMessageContaining("control character")
                .withMessageContaining("index")
                .satisfies(e -> assertThat(e.getMessage().chars()).noneMatch(Character::isISOControl));
    }

    @Test
    void law30_half_of_a_surrogate_pair_is_refused() {
        for (String name : new String[] {"a\ud83d", "\ude00b", "\ude00\ud83d"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Names.require("name", name))
                    .withMessageContaining("surrogate")
                    .withMessageContaining("\\uD");
        }
    }

    @Test
    void law30_nothing_is_no_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.require("name", ""))
                .withMessageContaining("empty");
        assertThatNullPointerException()
                .isThrownBy(() -> Names.require("name", nothing()))
                .withMessageContaining("name");
    }

    @SuppressWarnings("NullAway")
    private static String nothing() {
        return java.util.Map.<String, String>of().get("nothing");
    }

    @Test
    void law25_tokens_are_from_1_to_below_2_to_the_53() {
        assertThat(Tokens.isValid(1)).isTrue();
        assertThat(Tokens.isValid((1L << 53) - 1)).isTrue();
        assertThat(Tokens.isValid(0)).isFalse();
        assertThat(Tokens.isValid(-1)).isFalse();
        assertThat(Tokens.isValid(1L << 53)).isFalse();
        assertThat(Tokens.isValid(Long.MAX_VALUE)).isFalse();
    }
}
