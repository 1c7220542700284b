package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be learnt of leases without taking them. */
abstract class LookupLaws extends StoreLaws<LeaseServer> {

    @Test
    void a_name_that_was_never_taken_is_found_free() {
        assertThat(found(name())).isEmpty();
    }

    @Test
    void a_held_lease_is_found_with_all_that_is_known_of_it() {
        String name = name();
        Claim claim = contender("alice").elects(name).granted();

        LeaseRecord record = found(name).orElseThrow();

        assertThat(record.name()).isEqualTo(name);
        assertThat(record.holder()).isEqualTo("alice");
        assertThat(record.incarnation()).isEqualTo(claim.incarnation());
        assertThat(record.attempt()).isEqualTo(claim.attempt());
        assertThat(record.token()).isEqualTo(claim.token());
        assertThat(record.remaining()).isPositive().isLessThanOrEqualTo(Contender.LONG);
        assertThat(record.age()).isZero();
        assertThat(record.isOurs()).isTrue();
    }

    @Test
    void an_expired_lease_is_found_free() {
        String name = name();
        contender("alice").elects(name).ttl(shortTtl()).granted();
        outlast(shortTtl());

        assertThat(found(name)).isEmpty();
    }

    @Test
    void leases_are_listed_by_prefix_and_ordered_by_name() {
        String base = unique();
        Contender alice = contender("alice");
        List<String> names = new ArrayList<>();
        for (String end : List.of(".c", ".a", ".b")) {
            names.add(canonical(base + end));
        }
        names.forEach(name -> alice.elects(name).granted());
        alice.elects(name()).granted();

        List<LeaseRecord> listed = listed(commonPrefix(names), 100);

        assertThat(listed)
                .extracting(LeaseRecord::name)
                .containsExactly(canonical(base + ".a"), canonical(base + ".b"), canonical(base + ".c"));
        assertThat(listed).extracting(LeaseRecord::holder).containsOnly("alice");
        assertThat(listed).allSatisfy(record -> assertThat(record.remaining()).isPositive());
    }

    @Test
    void a_lock_is_listed_like_an_election() {
        String base = unique();
        List<String> names = List.of(canonical(base + ".a"), canonical(base + ".b"));
        contender("alice").locks(names.get(0)).granted();
        contender("bob").elects(names.get(1)).granted();

        assertThat(listed(commonPrefix(names), 100))
                .extracting(LeaseRecord::holder)
                .containsExactly("alice", "bob");
    }

    @Test
    void no_more_leases_are_listed_than_were_asked_for() {
        String base = unique();
        Contender alice = contender("alice");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            names.add(canonical(base + "." + i));
            alice.elects(names.get(i)).granted();
        }

        assertThat(listed(commonPrefix(names), 3)).hasSize(3);
        assertThat(listed(commonPrefix(names), 7)).hasSize(7);
    }

    @Test
    void leases_that_are_over_are_not_listed() {
        String base = unique();
        List<String> names = List.of(canonical(base + ".a"), canonical(base + ".b"), canonical(base + ".c"));
        Contender alice = contender("alice");
        alice.elects(names.get(0)).ttl(shortTtl()).granted();
        alice.releases(alice.elects(names.get(1)).granted());
        alice.elects(names.get(2)).granted();
        outlast(shortTtl());

        assertThat(listed(commonPrefix(names), 100))
                .extracting(LeaseRecord::name)
                .containsExactly(names.get(2));
    }

    @Test
    void special_characters_in_a_prefix_stand_for_themselves_only() {
        Contender alice = contender("alice");
        for (String special : List.of("*", "?", "[a]", "[^a]", "\\", "\\*", "%", "_", "'", "\"", ".", "$", "^")) {
            String base = unique() + ".";
            List<String> meant = List.of(canonical(base + special + ".x1"), canonical(base + special + ".x2"));
            meant.forEach(name -> alice.elects(name).granted());
            for (String decoy : List.of("a", "Z", "", "aa")) {
                alice.elects(canonical(base + decoy + ".x1")).granted();
            }

            assertThat(listed(commonPrefix(meant), 100))
                    .as("names with %s", special)
                    .extracting(LeaseRecord::name)
                    .containsExactlyElementsOf(meant);
        }
    }

    @Test
    void a_prefix_is_compared_byte_by_byte() {
        String base = unique();
        List<String> lower = List.of(canonical(base + ".ab1"), canonical(base + ".ab2"));
        List<String> upper = List.of(canonical(base + ".AB1"), canonical(base + ".AB2"));
        Contender alice = contender("alice");
        lower.forEach(name -> alice.elects(name).granted());
        upper.forEach(name -> alice.elects(name).granted());

        assertThat(listed(commonPrefix(lower), 100))
                .extracting(LeaseRecord::name)
                .containsExactlyElementsOf(lower);
        assertThat(listed(commonPrefix(upper), 100))
                .extracting(LeaseRecord::name)
                .containsExactlyElementsOf(upper);
    }

    @Test
    void a_prefix_that_fits_nothing_lists_nothing() {
        assertThat(listed(name(), 100)).isEmpty();
    }

    private List<LeaseRecord> listed(String prefix, int limit) {
        return Answers.of(observer().list(prefix, limit));
    }

    private static String commonPrefix(List<String> names) {
        String prefix = names.get(0);
        for (String name : names) {
            while (!name.startsWith(prefix)) {
                prefix = prefix.substring(0, prefix.length() - 1);
            }
        }
        return prefix;
    }
}
