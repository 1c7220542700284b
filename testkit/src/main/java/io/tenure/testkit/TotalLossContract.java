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
 * The laws of stores that can lose all they know, of a name's tokens or altogether (laws 3, 5 and 6), and whose clock takes
 * part in minting tokens. To be extended as {@link LeaseStoreContract} is. Those that can lose counter and mark apart keep
 * {@link DataLossContract}, which asks for this too.
 *
 * @param <S> the server, of type {@link LeaseServer.LosesAll} where it offers nothing else
 */
public abstract class TotalLossContract<S extends LeaseServer.LosesAll> extends StoreLaws<S> {
    /** For subclasses. */
    protected TotalLossContract() {}

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
    void law06_a_burn_rises_above_the_burnt_token_even_when_counter_and_mark_are_lost() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).floor(FAR_ABOVE_THE_CLOCK).granted();
        server().loseTokens(claim.name());

        assertThat(alice.releases(claim, Duration.ZERO, ReleaseMode.BURN)).isTrue();

        assertThat(alice.elects(claim.name()).grant().token()).isEqualTo(claim.token() + 2);
    }

    @Test
    void law06_a_forced_release_rises_above_the_ended_token_even_when_counter_and_mark_are_lost() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).floor(FAR_ABOVE_THE_CLOCK).granted();
        server().loseTokens(claim.name());

        assertThat(alice.evicts(alice.finds(claim.name()).orElseThrow())).isTrue();

        assertThat(alice.elects(claim.name()).grant().token()).isEqualTo(claim.token() + 2);
    }

    @Test
    void law03_the_same_attempt_again_gets_the_token_of_its_lease_whatever_became_of_the_counter() {
        Contender.Attempt attempt = contender("alice").elects(name());
        Claim claim = attempt.granted();
        server().loseTokens(claim.name());

        assertThat(attempt.grant().token()).isEqualTo(claim.token());
    }

    @Test
    void law05_a_loss_that_a_renewal_has_healed_is_told_once() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();
        server().loseTokens(claim.name());

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
}
