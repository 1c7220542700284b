package io.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterNamesTest {

    private static int slot(String key) {
        return ClusterNames.slot(key.getBytes(UTF_8));
    }

    @Test
    void law28_a_name_without_a_hash_tag_is_wrapped_and_one_with_a_tag_kept() {
        assertThat(ClusterNames.canonical("x")).isEqualTo("{x}");
        assertThat(ClusterNames.canonical("{x}")).isEqualTo("{x}");
        assertThat(ClusterNames.canonical("a{x}b")).isEqualTo("a{x}b");
        assertThat(ClusterNames.canonical("{}x")).isEqualTo("{{}x}");
        assertThat(ClusterNames.canonical("a}b")).isEqualTo("{a}b}");
        assertThat(ClusterNames.canonical("a{b")).isEqualTo("{a{b}");
    }

    @Test
    void law28_a_canonical_name_is_its_own_canonical_form_and_its_keys_share_a_slot() {
        for (String name : List.of("x", "{x}", "a{x}b", "{}x", "a}b", "a{b", "a{}b", "日本", "{{}}", "a}{b}")) {
            String canonical = ClusterNames.canonical(name);

            assertThat(ClusterNames.canonical(canonical)).isEqualTo(canonical);
            byte[][] keys = LeaseKeys.all(canonical.getBytes(UTF_8));
            assertThat(Arrays.stream(keys).map(ClusterNames::slot).distinct())
                    .as(name)
                    .hasSize(1);
        }
    }

    @Test
    void law28_a_name_that_cannot_be_tagged_is_refused_with_the_reason() {
        for (String name : List.of("}x", "{}")) {
            assertThatThrownBy(() -> ClusterNames.canonical(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + name + "'")
                    .hasMessageContaining("hash tag");
        }
    }

    @Test
    void slots_are_those_of_the_cluster_specification() {
        assertThat(slot("123456789")).isEqualTo(0x31C3);
        assertThat(slot("foo")).isEqualTo(12182);
        assertThat(slot("{foo}.bar")).isEqualTo(12182);
        assertThat(slot("x{foo}{bar}")).isEqualTo(12182);
        assertThat(slot("{}foo")).isNotEqualTo(12182);
    }

    @Test
    void law28_a_write_to_another_slot_is_refused_naming_both() {
        assertThatCode(() -> ClusterNames.requireSameSlot("{foo}:mark".getBytes(UTF_8), "y{foo}".getBytes(UTF_8)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> ClusterNames.requireSameSlot("{foo}:mark".getBytes(UTF_8), "bar".getBytes(UTF_8)))
                .hasMessageContaining("12182")
                .hasMessageContaining("5061");
    }
}
