package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Law 5, and the batches of section 5: what a renewal extends. */
abstract class RenewLaws extends StoreLaws<LeaseServer> {
    private static final Renewal RENEWED = new Renewal.Renewed(OptionalLong.empty());
    private static final Renewal LOST_TO_NOBODY = new Renewal.Lost(Optional.empty());

    @Test
    void law05_a_renewed_lease_outlasts_its_first_ttl() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).ttl(shortTtl()).granted();

        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(RENEWED);
        outlast(shortTtl());

        assertHeld(claim);
    }

    @Test
    void law05_a_renewal_sets_the_ttl_from_now_be_it_shorter_than_what_was_left() {
        Contender alice = contender("alice");
        Claim claim = alice.locks(name()).granted();

        assertThat(alice.renews(claim, LeaseKind.LOCK, shortTtl())).isEqualTo(RENEWED);
        outlast(shortTtl());

        assertThat(found(claim.name())).isEmpty();
    }

    @Test
    void law05_a_renewal_leaves_holder_and_token_as_they_are() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();

        alice.renews(claim, Contender.LONG);
        alice.renews(claim, Contender.LONG);

        assertHeld(claim);
    }

    @Test
    void law05_an_expired_lease_is_lost_and_is_not_taken_again_by_its_renewal() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).ttl(shortTtl()).granted();
        outlast(shortTtl());

        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(LOST_TO_NOBODY);
        assertThat(found(claim.name())).isEmpty();
    }

    @Test
    void law05_a_lease_that_was_released_is_lost() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();
        alice.releases(claim);

        assertThat(alice.renews(claim, Contender.LONG)).isEqualTo(LOST_TO_NOBODY);
        assertThat(found(claim.name())).isEmpty();
    }

    @Test
    void law05_a_lease_that_somebody_else_has_is_lost_to_whom_the_answer_names() {
        String name = name();
        Contender alice = contender("alice");
        Claim claim = alice.elects(name).ttl(shortTtl()).granted();
        outlast(shortTtl());
        Claim successor = contender("bob").elects(name).granted();

        assertThat(alice.renews(claim, Contender.LONG))
                .isInstanceOfSatisfying(
                        Renewal.Lost.class,
                        lost -> assertThat(lost.current()).hasValueSatisfying(current -> {
                            assertThat(current.holder()).isEqualTo("bob");
                            assertThat(current.token()).isEqualTo(successor.token());
                        }));
        assertHeld(successor);
    }

    @Test
    void law05_a_renewal_is_guarded_by_the_whole_claim() {
        String name = name();
        Contender alice = contender("alice");
        Claim held = alice.elects(name).ttl(shortTtl()).granted();

        for (Claim forged : Forgeries.of(held)) {
            assertThat(alice.renews(forged, Contender.LONG)).as("%s", forged).isInstanceOf(Renewal.Lost.class);
        }
        assertHeld(held);
        outlast(shortTtl());
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law05_a_claim_whose_token_the_mark_has_passed_is_lost() {
        Contender alice = contender("alice");
        Claim claim = alice.elects(name()).granted();
        alice.releases(claim, Contender.LONG, ReleaseMode.BURN);

        assertThat(alice.renews(claim, Contender.LONG)).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void renewals_of_one_batch_are_answered_in_order_each_with_a_fate_of_its_own() {
        Contender alice = contender("alice");
        Claim first = alice.elects(name()).granted();
        Claim released = alice.elects(name()).granted();
        Claim second = alice.locks(name()).granted();
        Claim never = new Claim(name(), "alice", alice.incarnation(), 77, 1);
        alice.releases(released);

        List<CompletionStage<Renewal>> answers = alice.store()
                .renew(List.of(
                        new RenewRequest(first, LeaseKind.ELECTION, Contender.LONG),
                        new RenewRequest(released, LeaseKind.ELECTION, Contender.LONG),
                        new RenewRequest(second, LeaseKind.LOCK, shortTtl().multipliedBy(100)),
                        new RenewRequest(never, LeaseKind.ELECTION, Contender.LONG)));

        assertThat(answers.stream().map(Answers::of)).containsExactly(RENEWED, LOST_TO_NOBODY, RENEWED, LOST_TO_NOBODY);
    }

    @Test
    void a_batch_of_some_hundred_renewals_renews_them_all_but_the_forged() {
        Contender alice = contender("alice");
        List<RenewRequest> requests = new ArrayList<>();
        for (int i = 0; i < 230; i++) {
            Claim claim = alice.elects(name()).granted();
            Claim sent = isForged(i) ? claim.withToken(claim.token() + 1) : claim;
            requests.add(new RenewRequest(sent, LeaseKind.ELECTION, Contender.LONG.multipliedBy(2)));
        }

        List<Renewal> answers =
                alice.store().renew(requests).stream().map(Answers::of).toList();

        assertThat(answers).hasSameSizeAs(requests);
        for (int i = 0; i < answers.size(); i++) {
            Duration remaining =
                    found(requests.get(i).claim().name()).orElseThrow().remaining();
            assertThat(answers.get(i) instanceof Renewal.Lost)
                    .as("claim %d is lost", i)
                    .isEqualTo(isForged(i));
            assertThat(remaining.compareTo(Contender.LONG) <= 0)
                    .as("claim %d was left alone", i)
                    .isEqualTo(isForged(i));
        }
    }

    private static boolean isForged(int i) {
        return i % 50 == 49;
    }

    @Test
    void a_batch_of_nothing_is_answered_by_nothing() {
        assertThat(client().renew(List.of())).isEmpty();
    }
}
