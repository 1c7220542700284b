package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import io.tenure.Tokens;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Laws 2 and 6: how tokens rise, and where they end. */
abstract class TokenLaws extends StoreLaws<LeaseServer> {

    @Test
    void law02_tokens_rise_from_release_to_release() {
        String name = name();
        Contender alice = contender("alice");
        long last = 0;
        for (int i = 0; i < 5; i++) {
            Claim claim = alice.elects(name).granted();
            assertThat(claim.token()).isGreaterThan(last);
            last = claim.token();
            alice.releases(claim);
        }
        assertThat(Tokens.isValid(last)).isTrue();
    }

    @Test
    void law02_tokens_rise_from_holder_to_holder() {
        String name = name();
        Contender alice = contender("alice");
        Claim first = alice.elects(name).granted();
        alice.releases(first);

        assertThat(contender("bob").elects(name).grant().token()).isGreaterThan(first.token());
    }

    @Test
    void law02_tokens_rise_across_an_expiry() {
        String name = name();
        long first = contender("alice").elects(name).ttl(shortTtl()).grant().token();
        outlast(shortTtl());

        assertThat(contender("bob").elects(name).grant().token()).isGreaterThan(first);
    }

    @Test
    void law02_tokens_rise_across_a_forced_release() {
        String name = name();
        Contender alice = contender("alice");
        long first = alice.elects(name).grant().token();
        alice.evicts(alice.finds(name).orElseThrow());

        assertThat(contender("bob").elects(name).grant().token()).isGreaterThan(first);
    }

    @Test
    void law02_tokens_rise_from_an_election_to_a_lock_and_back() {
        String name = name();
        Contender alice = contender("alice");
        Claim first = alice.elects(name).granted();
        alice.releases(first);
        Claim second = alice.locks(name).granted();
        alice.releases(second);
        Claim third = alice.elects(name).granted();

        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(third.token()).isGreaterThan(second.token());
    }

    @Test
    void law06_a_token_is_above_the_highest_that_the_contender_has_seen() {
        long seen = FAR_ABOVE_THE_CLOCK;

        assertThat(contender("alice").elects(name()).floor(seen).grant().token())
                .isEqualTo(seen + 1);
    }

    @Test
    void law06_a_token_is_above_the_highest_of_the_store_whatever_the_contender_has_seen() {
        String name = name();
        Contender alice = contender("alice");
        Claim first = alice.elects(name).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(first);

        assertThat(contender("bob").elects(name).floor(3).grant().token()).isEqualTo(first.token() + 1);
    }

    @Test
    void law06_a_store_that_is_found_below_what_the_contender_has_seen_says_where_it_stood() {
        String name = name();
        Contender alice = contender("alice");
        Claim first = alice.elects(name).granted();
        alice.releases(first);

        Acquisition.Granted healed =
                alice.elects(name).floor(FAR_ABOVE_THE_CLOCK).grant();

        assertThat(healed.regressedTo()).isEqualTo(OptionalLong.of(first.token()));
    }

    @Test
    void law06_no_regression_is_told_of_a_name_that_the_contender_knows_nothing_of() {
        assertThat(contender("alice").elects(name()).grant().regressedTo()).isEmpty();
    }

    @Test
    void law06_no_regression_is_told_when_the_store_stands_where_the_contender_saw_it() {
        String name = name();
        Contender alice = contender("alice");
        Claim first = alice.elects(name).granted();
        alice.releases(first);

        assertThat(alice.elects(name).floor(first.token()).grant().regressedTo())
                .isEmpty();
    }

    @Test
    void law06_the_last_token_is_one_below_2_to_the_53() {
        assertThat(contender("alice")
                        .elects(name())
                        .floor(Tokens.LIMIT - 2)
                        .grant()
                        .token())
                .isEqualTo(Tokens.LIMIT - 1);
    }

    @Test
    void law06_after_the_last_token_every_attempt_is_refused_for_good_and_nothing_is_written() {
        String name = name();
        Contender alice = contender("alice");
        alice.releases(alice.elects(name).floor(Tokens.LIMIT - 2).granted());

        StoreException refusal = contender("bob").elects(name).refused();

        assertThat(refusal.isTransient()).isFalse();
        assertThat(refusal).hasMessageContaining(name);
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law06_a_floor_that_leaves_no_token_is_refused_for_good_and_nothing_is_written() {
        String name = name();
        Contender alice = contender("alice");

        assertThat(alice.elects(name).floor(Tokens.LIMIT - 1).refused().isTransient())
                .isFalse();
        assertThat(alice.elects(name).floor(Long.MAX_VALUE).refused().isTransient())
                .isFalse();

        assertThat(found(name)).isEmpty();
        assertThat(alice.elects(name).grant().token()).isLessThan(Tokens.LIMIT - 1);
    }

    @Test
    void law06_a_takeover_without_a_token_left_is_refused_and_leaves_the_lease_as_it_is() {
        String name = name();
        Contender alice = contender("alice");
        Claim held = alice.elects(name).floor(Tokens.LIMIT - 2).granted();

        assertThat(alice.elects(name)
                        .takingOver(Takeover.SAME_INCARNATION)
                        .refused()
                        .isTransient())
                .isFalse();

        assertHeld(held);
    }

    @Test
    void law06_a_burn_without_a_token_left_is_refused_and_leaves_the_lease_as_it_is() {
        String name = name();
        Contender alice = contender("alice");
        Claim held = alice.elects(name).floor(Tokens.LIMIT - 2).granted();

        StoreException refusal =
                Answers.failureOf(alice.store().release(new ReleaseRequest(held, Duration.ZERO, ReleaseMode.BURN)));

        assertThat(refusal.isTransient()).isFalse();
        assertHeld(held);
    }
}
