package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Claim;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * The laws of stores whose data can be lost (laws 2, 3, 5 and 6): for servers that can be emptied or that evict, and
 * whose clock takes part in minting tokens. To be extended as {@link LeaseStoreContract} is.
 */
public abstract class DataLossContract extends StoreLaws<LeaseServer.LosesData> {
    /** For subclasses. */
    protected DataLossContract() {}

    @Test
    void law06_tokens_keep_rising_when_all_data_is_lost_and_nobody_remembers() {
        String name = name();
        long last = contender("alice").elects(name).grant().token();
        server().elapse(Duration.ofMillis(2));
        server().loseEverything();

        assertThat(contender("bob").elects(name).grant().token()).isGreaterThan(last);
    }

    @Test
    void law06_tokens_keep_rising_when_all_data_is_lost_and_a_contender_remembers() {
        String name = name();
        long last = contender("alice")
                .elects(name)
                .floor(FAR_ABOVE_THE_CLOCK)
                .grant()
                .token();
        server().loseEverything();

        assertThat(contender("bob").elects(name).floor(last).grant().token()).isEqualTo(last + 1);
    }

    @Test
    void law06_a_loss_that_a_grant_has_healed_is_told() {
        String name = name();
        long last = contender("alice").elects(name).grant().token();
        server().loseEverything();

        assertThat(contender("bob").elects(name).floor(last).grant().regressedTo())
                .isEqualTo(OptionalLong.of(0));
    }

    @Test
    void law06_a_lost_counter_that_a_grant_has_healed_is_told_although_the_mark_made_up_for_it() {
        Contender alice = contender("alice");
        Claim last = alice.elects(name()).granted();
        alice.releases(last);
        server().loseCounter(last.name());

        assertThat(contender("bob")
                        .elects(last.name())
                        .floor(last.token())
                        .grant()
                        .regressedTo())
                .isEqualTo(OptionalLong.of(0));
    }

    @Test
    void law06_tokens_keep_rising_when_the_counter_is_lost() {
        Contender alice = contender("alice");
        Claim last = alice.elects(name()).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(last);
        server().loseCounter(last.name());

        assertThat(alice.elects(last.name()).grant().token()).isEqualTo(last.token() + 1);
    }

    @Test
    void law06_tokens_keep_rising_when_the_mark_is_lost() {
        Contender alice = contender("alice");
        Claim last = alice.elects(name()).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(last);
        server().loseMark(last.name());

        assertThat(alice.elects(last.name()).grant().token()).isEqualTo(last.token() + 1);
    }

    @Test
    void law06_a_burn_rises_above_the_burnt_token_even_when_counter_and_mark_are_lost() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).floor(FAR_ABOVE_THE_CLOCK).granted();
        loseTokens(claim);

        assertThat(alice.releases(claim, Duration.ZERO, ReleaseMode.BURN)).isTrue();

        assertThat(alice.elects(claim.name()).grant().token()).isEqualTo(claim.token() + 2);
    }

    @Test
    void law06_a_forced_release_rises_above_the_ended_token_even_when_counter_and_mark_are_lost() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).floor(FAR_ABOVE_THE_CLOCK).granted();
        loseTokens(claim);

        assertThat(alice.evicts(alice.finds(claim.name()).orElseThrow())).isTrue();

        assertThat(alice.elects(claim.name()).grant().token()).isEqualTo(claim.token() + 2);
    }

    @Test
    void law03_the_same_attempt_again_gets_the_token_of_its_lease_whatever_became_of_the_counter() {
        Contender.Attempt attempt = contender("alice").elects(name());
        Claim claim = attempt.granted();
        loseTokens(claim);

        assertThat(attempt.grant().token()).isEqualTo(claim.token());
    }

    @Test
    void law05_a_renewal_restores_the_counter_from_the_claim() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).floor(FAR_ABOVE_THE_CLOCK).granted();
        server().loseCounter(claim.name());
        alice.renews(claim, Contender.LONG);
        server().loseMark(claim.name());
        alice.releases(claim);

        assertThat(alice.elects(claim.name()).grant().token()).isEqualTo(claim.token() + 1);
    }

    @Test
    void law05_a_renewal_restores_the_mark_from_the_claim() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).floor(FAR_ABOVE_THE_CLOCK).granted();
        server().loseMark(claim.name());
        alice.renews(claim, Contender.LONG);
        server().loseCounter(claim.name());
        alice.releases(claim);

        assertThat(alice.elects(claim.name()).grant().token()).isEqualTo(claim.token() + 1);
    }

    @Test
    void law05_a_claim_whose_token_the_counter_has_passed_is_lost_though_the_mark_is() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();
        alice.releases(claim, Contender.LONG, ReleaseMode.BURN);
        server().loseMark(claim.name());

        assertThat(alice.renews(claim, Contender.LONG)).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void law05_a_claim_whose_token_the_mark_has_passed_is_lost_though_the_counter_is() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();
        alice.releases(claim, Contender.LONG, ReleaseMode.BURN);
        server().loseCounter(claim.name());

        assertThat(alice.renews(claim, Contender.LONG)).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void law05_a_loss_that_a_renewal_has_healed_is_told_once() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();
        loseTokens(claim);

        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Renewed(OptionalLong.of(0)));
        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Renewed(OptionalLong.empty()));
    }

    @Test
    void law05_a_lost_counter_or_mark_that_a_renewal_has_restored_is_told_once() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();

        server().loseCounter(claim.name());
        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Renewed(OptionalLong.of(0)));
        server().loseMark(claim.name());
        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Renewed(OptionalLong.of(0)));
        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Renewed(OptionalLong.empty()));
    }

    @Test
    void law05_a_lease_that_went_with_the_data_is_lost_to_nobody() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();
        server().loseEverything();

        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Lost(Optional.empty()));
        assertThat(alice.releases(claim)).isFalse();
        assertThat(found(claim.name())).isEmpty();
    }

    private void loseTokens(Claim claim) {
        server().loseCounter(claim.name());
        server().loseMark(claim.name());
    }
}
