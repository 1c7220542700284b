package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.LeaseRecord;
import io.tenure.Tokens;
import io.tenure.spi.Claim;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Laws 5, 12 and 17: what a release ends, by its holder or by force. */
abstract class ReleaseLaws extends StoreLaws<LeaseServer> {

    @Test
    void law05_a_released_lease_is_free_at_once() {
        String name = name();
        Contender alice = contender("alice");

        assertThat(alice.releases(alice.elects(name).granted())).isTrue();

        assertThat(found(name)).isEmpty();
        assertHeld(contender("bob").elects(name).granted());
    }

    @Test
    void law05_a_release_is_guarded_by_the_whole_claim() {
        Contender alice = contender("alice");
        Claim held = alice.elects(name()).granted();

        for (Claim forged : Forgeries.of(held)) {
            assertThat(alice.releases(forged)).as("%s", forged).isFalse();
        }
        assertHeld(held);
    }

    @Test
    void law05_a_second_release_finds_nothing_of_ours() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();

        assertThat(alice.releases(claim)).isTrue();
        assertThat(alice.releases(claim)).isFalse();
    }

    @Test
    void law05_a_release_of_an_expired_lease_finds_nothing_of_ours() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).ttl(shortTtl()).granted();
        outlast(shortTtl());

        assertThat(alice.releases(claim)).isFalse();
    }

    @Test
    void law05_a_late_release_never_ends_the_lease_of_a_successor() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).ttl(shortTtl()).granted();
        outlast(shortTtl());
        Claim successor = contender("bob").elects(name).granted();

        assertThat(alice.releases(claim)).isFalse();
        assertThat(alice.releases(claim.withToken(0))).isFalse();
        assertThat(alice.releases(claim, Duration.ZERO, ReleaseMode.BURN)).isFalse();

        assertHeld(successor);
    }

    @Test
    void law05_a_late_release_never_ends_a_later_attempt_of_the_same_holder() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).granted();
        alice.releases(claim);
        Claim later = alice.elects(name).granted();

        assertThat(alice.releases(claim)).isFalse();
        assertThat(alice.releases(claim.withToken(0))).isFalse();

        assertHeld(later);
    }

    @Test
    void law17_a_claim_without_a_token_releases_whatever_token_its_attempt_was_granted() {
        Contender alice = contender("alice");
        Contender.Attempt unanswered = alice.locks(name());
        unanswered.granted();

        assertThat(alice.releases(unanswered.claim())).isTrue();

        assertThat(found(unanswered.claim().name())).isEmpty();
    }

    @Test
    void law17_a_claim_without_a_token_releases_nothing_of_another_attempt_incarnation_or_holder() {
        Contender alice = contender("alice");
        Claim held = alice.locks(name()).granted();
        Claim known = held.withToken(0);

        assertThat(alice.releases(new Claim(known.name(), "bob", known.incarnation(), known.attempt(), 0)))
                .isFalse();
        assertThat(alice.releases(new Claim(known.name(), "alice", "other", known.attempt(), 0)))
                .isFalse();
        assertThat(alice.releases(new Claim(known.name(), "alice", known.incarnation(), known.attempt() + 1, 0)))
                .isFalse();
        assertHeld(held);
    }

    @Test
    void law17_a_claim_without_a_token_releases_nothing_when_the_name_is_free() {
        Contender alice = contender("alice");

        assertThat(alice.releases(alice.locks(name()).claim())).isFalse();
    }

    @Test
    void a_release_that_holds_the_name_keeps_it_taken_for_that_long() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.locks(name).ttl(shortTtl()).granted();

        assertThat(alice.releases(claim, shortTtl().multipliedBy(6), ReleaseMode.PLAIN))
                .isTrue();
        outlast(shortTtl());

        LeaseRecord current = contender("bob").locks(name).denied().current();
        assertThat(current.holder()).isEqualTo("alice");
        assertThat(current.remaining())
                .isPositive()
                .isLessThanOrEqualTo(shortTtl().multipliedBy(5));
    }

    @Test
    void a_release_that_holds_the_name_frees_it_afterwards() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.locks(name).granted();

        assertThat(alice.releases(claim, shortTtl(), ReleaseMode.PLAIN)).isTrue();
        outlast(shortTtl());

        assertHeld(contender("bob").locks(name).granted());
    }

    @Test
    void law12_a_plain_release_leaves_the_tokens_where_they_stand() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(claim);

        assertThat(alice.elects(name).grant().token()).isEqualTo(claim.token() + 1);
    }

    @Test
    void law12_a_release_that_burns_mints_one_token_more() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).floor(FAR_ABOVE_THE_CLOCK).granted();

        assertThat(alice.releases(claim, Duration.ZERO, ReleaseMode.BURN)).isTrue();

        assertThat(found(name)).isEmpty();
        assertThat(alice.elects(name).grant().token()).isEqualTo(claim.token() + 2);
    }

    @Test
    void law12_a_burn_of_a_lease_that_ran_out_burns_its_token_as_long_as_it_is_current() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim =
                alice.elects(name).ttl(shortTtl()).floor(FAR_ABOVE_THE_CLOCK).granted();
        outlast(shortTtl());

        assertThat(alice.releases(claim, Duration.ZERO, ReleaseMode.BURN)).isFalse();

        assertThat(alice.elects(name).grant().token()).isEqualTo(claim.token() + 2);
    }

    @Test
    void law12_a_burn_of_a_token_that_a_successor_has_passed_burns_nothing() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(claim);
        Contender bob = contender("bob");
        Claim successor = bob.elects(name).granted();

        assertThat(alice.releases(claim, Duration.ZERO, ReleaseMode.BURN)).isFalse();

        assertThat(bob.renews(successor, Contender.LONG)).isInstanceOf(Renewal.Renewed.class);
        bob.releases(successor);
        assertThat(alice.elects(name).grant().token()).isEqualTo(successor.token() + 1);
    }

    @Test
    void law12_a_burn_without_a_token_burns_nothing_when_the_lease_is_over() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).floor(FAR_ABOVE_THE_CLOCK).granted();
        alice.releases(claim);

        assertThat(alice.releases(claim.withToken(0), Duration.ZERO, ReleaseMode.BURN))
                .isFalse();

        assertThat(alice.elects(name).grant().token()).isEqualTo(claim.token() + 1);
    }

    @Test
    void law12_a_forced_release_ends_the_lease_that_was_seen_and_burns_a_token() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).floor(FAR_ABOVE_THE_CLOCK).granted();
        Contender operator = contender("operator");

        assertThat(operator.evicts(operator.finds(name).orElseThrow())).isTrue();

        assertThat(found(name)).isEmpty();
        assertThat(alice.renews(claim, Contender.LONG)).isInstanceOf(Renewal.Lost.class);
        assertThat(contender("bob").elects(name).grant().token()).isEqualTo(claim.token() + 2);
    }

    @Test
    void law12_a_forced_release_still_ends_a_lease_that_was_renewed_since_it_was_seen() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).granted();
        LeaseRecord seen = found(name).orElseThrow().seenBefore(Duration.ofSeconds(3));
        alice.renews(claim, Contender.LONG.multipliedBy(2));

        assertThat(alice.evicts(seen)).isTrue();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law12_a_forced_release_ends_nothing_but_what_was_seen() {
        Contender alice = contender("alice");
        Claim held = alice.elects(name()).granted();

        for (Claim other : Forgeries.of(held)) {
            assertThat(alice.evicts(LeaseRecord.of(
                            other.name(),
                            other.holder(),
                            other.incarnation(),
                            other.attempt(),
                            other.token(),
                            Contender.LONG)))
                    .as("%s", other)
                    .isFalse();
        }
        assertHeld(held);
    }

    @Test
    void law12_a_forced_release_of_a_lease_that_is_over_ends_nothing_and_burns_nothing() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).floor(FAR_ABOVE_THE_CLOCK).granted();
        LeaseRecord seen = found(name).orElseThrow();
        alice.releases(claim);

        assertThat(alice.evicts(seen)).isFalse();
        assertThat(alice.elects(name).grant().token()).isEqualTo(claim.token() + 1);
    }

    @Test
    void law06_a_forced_release_without_a_token_left_is_refused_and_leaves_the_lease_as_it_is() {
        String name = name();
        Contender alice = contender("alice");
        Claim held = alice.elects(name).floor(Tokens.LIMIT - 2).granted();

        assertThat(Answers.failureOf(alice.store().evict(found(name).orElseThrow()))
                        .isTransient())
                .isFalse();

        assertHeld(held);
    }
}
