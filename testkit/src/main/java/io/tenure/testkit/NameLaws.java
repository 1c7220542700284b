package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Names;
import io.tenure.spi.Claim;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Law 30: names, and holders, are what they are, byte by byte. */
abstract class NameLaws extends StoreLaws<LeaseServer> {

    /** Names that differ in as little as names can; see {@link LeaseStoreContract#oddNames}. */
    abstract List<String> oddNames(String unique);

    @Test
    void law30_names_that_differ_in_any_byte_are_different_leases() {
        List<String> names = oddNames(unique());
        Map<String, Claim> held = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            String name = canonical(names.get(i));
            held.put(name, contender("holder-" + i, observer()).elects(name).granted());
        }

        assertThat(held).hasSameSizeAs(names);
        held.values().forEach(this::assertHeld);
    }

    @Test
    void law30_odd_names_are_listed_under_their_own_names() {
        String base = unique();
        List<String> names = oddNames(base).stream().map(this::canonical).toList();
        Contender alice = contender("alice");
        names.forEach(name -> alice.elects(name).granted());

        List<String> listed = new ArrayList<>();
        for (String name : names) {
            Answers.of(observer().list(name, 1_000)).forEach(record -> listed.add(record.name()));
        }

        assertThat(listed).containsAll(names);
    }

    @Test
    void law30_odd_names_can_be_renewed_and_released() {
        Contender alice = contender("alice");
        for (String odd : oddNames(unique())) {
            Claim claim = alice.elects(canonical(odd)).granted();
            alice.renews(claim, Contender.LONG);

            assertThat(alice.releases(claim)).as("%s", odd).isTrue();
            assertThat(found(claim.name())).as("%s", odd).isEmpty();
        }
    }

    @Test
    void law30_the_canonical_form_of_a_name_is_its_own_canonical_form() {
        assertThat(oddNames(unique()))
                .allSatisfy(odd -> assertThat(canonical(canonical(odd))).isEqualTo(canonical(odd)));
    }

    @Test
    void law30_holders_are_told_as_they_are_byte_by_byte() {
        for (String holder : oddHolders()) {
            String name = name();
            Contender odd = contender(holder, observer());
            Claim claim = odd.elects(name).granted();

            assertThat(contender("other").elects(name).denied().current().holder())
                    .isEqualTo(holder);
            assertHeld(claim);
            assertThat(odd.releases(new Claim(name, holder + " ", claim.incarnation(), claim.attempt(), claim.token())))
                    .as("%s with a blank behind it", holder)
                    .isFalse();
            assertThat(odd.releases(claim)).as("%s", holder).isTrue();
        }
    }

    private static List<String> oddHolders() {
        return List.of(
                "#",
                "-",
                "a#b",
                "a#b-1-2",
                "#-1-1",
                "a-b-c",
                "host:8080/x",
                " blank ",
                "'\"`",
                "{a}",
                "\\",
                "%s",
                "äöü",
                "\uD83D\uDC51",
                longest("holder"));
    }

    /** {@code start}, filled up to the longest that a name can be. */
    static String longest(String start) {
        int missing = Names.MAX_BYTES - start.getBytes(StandardCharsets.UTF_8).length;
        return start + "x".repeat(missing);
    }
}
