package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Claim;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import org.junit.jupiter.api.Test;

/** Law 4: which leases of the own id are replaced. */
abstract class TakeoverLaws extends StoreLaws<LeaseServer> {

    @Test
    void law04_without_being_asked_to_the_store_replaces_no_lease_of_the_own_id() {
        String name = name();
        Contender alice = contender("alice");
        Claim held = alice.elects(name).granted();

        alice.elects(name).takingOver(Takeover.NONE).denied();
        contender("alice").elects(name).takingOver(Takeover.NONE).denied();

        assertHeld(held);
    }

    @Test
    void law04_a_leftover_of_the_same_incarnation_is_replaced_at_once_with_a_higher_token() {
        String name = name();
        Contender alice = contender("alice");
        Claim leftover = alice.elects(name).granted();

        Claim term = alice.elects(name).takingOver(Takeover.SAME_INCARNATION).granted();

        assertThat(term.token()).isGreaterThan(leftover.token());
        assertHeld(term);
    }

    @Test
    void law04_another_incarnation_is_not_replaced_by_one_that_asks_for_its_own_only() {
        String name = name();
        Claim held = contender("alice").elects(name).granted();

        contender("alice").elects(name).takingOver(Takeover.SAME_INCARNATION).denied();

        assertHeld(held);
    }

    @Test
    void law04_a_leftover_of_another_incarnation_is_replaced_at_once_with_a_higher_token() {
        String name = name();
        Claim leftover = contender("alice").elects(name).granted();

        Claim term = contender("alice")
                .elects(name)
                .takingOver(Takeover.ANY_INCARNATION)
                .granted();

        assertThat(term.token()).isGreaterThan(leftover.token());
        assertHeld(term);
    }

    @Test
    void law04_whoever_may_replace_any_incarnation_may_replace_its_own() {
        String name = name();
        Contender alice = contender("alice");
        Claim leftover = alice.elects(name).granted();

        assertThat(alice.elects(name)
                        .takingOver(Takeover.ANY_INCARNATION)
                        .grant()
                        .token())
                .isGreaterThan(leftover.token());
    }

    @Test
    void law04_another_incarnation_is_replaced_whatever_its_attempt_number() {
        String name = name();
        contender("alice").electsAs(name, 9).granted();

        assertHeld(contender("alice")
                .electsAs(name, 1)
                .takingOver(Takeover.ANY_INCARNATION)
                .granted());
    }

    @Test
    void law04_a_late_attempt_never_displaces_a_newer_one_of_its_incarnation() {
        String name = name();
        Contender alice = contender("alice");
        Claim newer = alice.electsAs(name, 10).granted();

        alice.electsAs(name, 9).takingOver(Takeover.SAME_INCARNATION).denied();
        alice.electsAs(name, 9).takingOver(Takeover.ANY_INCARNATION).denied();

        assertHeld(newer);
    }

    @Test
    void law04_a_lease_of_another_holder_is_never_replaced() {
        String name = name();
        Contender alice = contender("alice");
        Claim held = alice.elects(name).granted();

        contender("bob").elects(name).takingOver(Takeover.ANY_INCARNATION).denied();
        new Contender(client(), "bob", alice.incarnation())
                .electsAs(name, 99)
                .takingOver(Takeover.ANY_INCARNATION)
                .denied();

        assertHeld(held);
    }

    @Test
    void law04_a_holder_whose_id_looks_like_a_whole_claim_is_still_another() {
        String name = name();
        Claim held = contender("alice#i1-1-5").elects(name).granted();

        contender("alice").elects(name).takingOver(Takeover.ANY_INCARNATION).denied();
        contender("alice#i1").elects(name).takingOver(Takeover.ANY_INCARNATION).denied();
        contender("alice#i1-1-5#")
                .elects(name)
                .takingOver(Takeover.ANY_INCARNATION)
                .denied();

        assertHeld(held);
    }

    @Test
    void law04_a_takeover_starts_the_ttl_again() {
        String name = name();
        Contender alice = contender("alice");
        alice.elects(name).ttl(shortTtl()).granted();

        Claim term = alice.elects(name).takingOver(Takeover.SAME_INCARNATION).granted();
        outlast(shortTtl());

        assertHeld(term);
    }

    @Test
    void law04_the_claim_that_was_replaced_can_neither_renew_nor_release() {
        String name = name();
        Contender alice = contender("alice");
        Claim leftover = alice.elects(name).granted();
        Claim term = contender("alice")
                .elects(name)
                .takingOver(Takeover.ANY_INCARNATION)
                .granted();

        assertThat(alice.renews(leftover, Contender.LONG))
                .isInstanceOfSatisfying(
                        Renewal.Lost.class,
                        lost -> assertThat(lost.current())
                                .hasValueSatisfying(current ->
                                        assertThat(current.incarnation()).isEqualTo(term.incarnation())));
        assertThat(alice.releases(leftover)).isFalse();
        assertHeld(term);
    }
}
