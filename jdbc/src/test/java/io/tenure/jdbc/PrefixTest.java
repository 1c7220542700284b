package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefixTest {
    @Test
    void what_comes_behind_a_prefix_has_its_last_character_raised() {
        assertThat(Prefix.after("ab")).hasValue("ac");
        assertThat(Prefix.after("a\u00FF")).hasValue("a\u0100");
    }

    @Test
    void surrogates_are_no_characters_of_their_own() {
        assertThat(Prefix.after("a\uD7FF")).hasValue("a\uE000");
        assertThat(Prefix.after("a\uD83D\uDC51")).hasValue("a\uD83D\uDC52");
        assertThat(Prefix.after("a\uFFFF")).hasValue("a\uD800\uDC00");
    }

    @Test
    void behind_the_last_character_the_one_before_it_is_raised() {
        assertThat(Prefix.after("a\uDBFF\uDFFF")).hasValue("b");
        assertThat(Prefix.after("\uDBFF\uDFFF")).isEmpty();
        assertThat(Prefix.after("")).isEmpty();
    }
}
