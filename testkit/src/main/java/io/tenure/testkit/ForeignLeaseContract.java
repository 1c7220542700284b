package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The laws of stores on which others than Tenure put leases under the same names (law 4): such leases are respected,
 * shown, and never mistaken for a leftover. To be extended as {@link LeaseStoreContract} is.
 */
public abstract class ForeignLeaseContract extends StoreLaws<LeaseServer.HoldsForeignLeases> {
    /** For subclasses. */
    protected ForeignLeaseContract() {}

    @Test
    void law04_a_foreign_lease_is_denied_and_its_whole_value_is_named_as_its_holder() {
        String name = name();
        server().plant(name, "worker-7", Contender.LONG);

        LeaseRecord current = contender("alice").elects(name).denied().current();

        assertThat(current.holder()).isEqualTo("worker-7");
        assertThat(current.incarnation()).isEmpty();
        assertThat(current.attempt()).isZero();
        assertThat(current.isOurs()).isFalse();
        assertThat(current.remaining()).isPositive().isLessThanOrEqualTo(Contender.LONG);
    }

    @Test
    void law04_values_that_are_not_exactly_in_our_form_are_never_taken_over() {
        Contender alice = contender("alice");
        String incarnation = alice.incarnation();
        for (String value : List.of(
                "alice",
                "alice#",
                "alice#" + incarnation,
                "alice#" + incarnation + "-1",
                "alice#" + incarnation + "-1-",
                "alice#" + incarnation + "-0-5",
                "alice#" + incarnation + "--1-5",
                "alice#" + incarnation + "-1-5-",
                "alice#" + incarnation + "-1-5-6",
                "alice#" + incarnation + "-1-5 ",
                "alice#" + incarnation + "-1-5x",
                "alice#" + incarnation + "-x-5",
                "alice#" + incarnation + "-1-5.0",
                "alice#" + incarnation + "-1-99999999999999999999",
                "alice#-1-5",
                "alice#" + incarnation + "-1-5#",
                "#" + incarnation + "-1-5")) {
            String name = name();
            server().plant(name, value, Contender.LONG);

            LeaseRecord current = alice.electsAs(name, 100)
                    .takingOver(Takeover.ANY_INCARNATION)
                    .denied()
                    .current();

            assertThat(current.holder()).isEqualTo(value);
            assertThat(current.isOurs()).as("'%s'", value).isFalse();
        }
    }

    @Test
    void law04_a_value_in_our_form_is_read_from_its_last_number_sign() {
        String name = name();
        server().plant(name, "rack#3#inc-12-345", Contender.LONG);

        LeaseRecord current = contender("alice").elects(name).denied().current();

        assertThat(current.holder()).isEqualTo("rack#3");
        assertThat(current.incarnation()).isEqualTo("inc");
        assertThat(current.attempt()).isEqualTo(12);
        assertThat(current.token()).isEqualTo(345);
        assertThat(current.isOurs()).isTrue();
    }

    @Test
    void law04_a_value_in_our_form_is_taken_over_by_its_holder() {
        String name = name();
        server().plant(name, "alice#gone-12-345", Contender.LONG);

        Claim term = contender("alice")
                .elects(name)
                .takingOver(Takeover.ANY_INCARNATION)
                .granted();

        assertHeld(term);
    }

    @Test
    void law01_a_foreign_lease_is_free_once_its_ttl_has_passed() {
        String name = name();
        server().plant(name, "worker-7", shortTtl());
        outlast(shortTtl());

        assertHeld(contender("alice").elects(name).granted());
    }

    @Test
    void law05_no_claim_of_ours_renews_or_releases_a_foreign_lease() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();
        server().plant(claim.name(), "alice", Contender.LONG);

        assertThat(alice.renews(claim, Contender.LONG))
                .isInstanceOfSatisfying(
                        Renewal.Lost.class,
                        lost -> assertThat(lost.current())
                                .hasValueSatisfying(
                                        current -> assertThat(current.isOurs()).isFalse()));
        assertThat(alice.releases(claim)).isFalse();
        assertThat(alice.releases(claim.withToken(0))).isFalse();
        assertThat(found(claim.name()))
                .hasValueSatisfying(current -> assertThat(current.holder()).isEqualTo("alice"));
    }

    @Test
    void law12_a_forced_release_ends_exactly_the_foreign_lease_that_was_seen() {
        Contender operator = contender("operator");
        String name = name();
        server().plant(name, "worker-7", Contender.LONG);
        LeaseRecord seen = found(name).orElseThrow();
        server().plant(name, "worker-8", Contender.LONG);

        assertThat(operator.evicts(seen)).isFalse();
        assertThat(operator.evicts(found(name).orElseThrow())).isTrue();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void a_foreign_lease_is_listed() {
        String name = name();
        server().plant(name, "worker-7", Contender.LONG);

        assertThat(Answers.of(observer().list(name, 10)))
                .extracting(LeaseRecord::holder)
                .containsExactly("worker-7");
    }
}
