package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Claim;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.Renewal;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * The laws of stores that can also lose counter and mark apart (laws 3, 5 and 6), as servers do that evict key by key. To be
 * extended as {@link LeaseStoreContract} is.
 */
public abstract class DataLossContract extends TotalLossContract<LeaseServer.LosesData> {
    /** For subclasses. */
    protected DataLossContract() {}

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
    void law05_a_lost_counter_or_mark_that_a_renewal_has_restored_is_told_once() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();

        server().loseCounter(claim.name());
        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Renewed(OptionalLong.of(0)));
        server().loseMark(claim.name());
        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Renewed(OptionalLong.of(0)));
        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(new Renewal.Renewed(OptionalLong.empty()));
    }
}
