package io.tenure.internal.machine;

import static io.tenure.internal.machine.Scenes.RESIGNED;
import static io.tenure.internal.machine.Scenes.resign;
import static io.tenure.internal.machine.Scenes.working;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.ReleaseMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The work of a term, from its start and its claims to its end: laws 12, 13 and 26. */
class LeaseMachineWorkTest {
    // ---- beginning

    @Test
    void law12_elected_is_told_before_the_term_is_published_and_after_the_work_has_its_thread() {
        Bench bench = Bench.leader(Setting.election().work());

        assertThat(bench.last())
                .extracting(effect -> effect.getClass().getSimpleName())
                .containsExactly("LeaveLine", "Begin", "StartWork", "Tell", "Publish", "Answered", "SendRenew");
        assertThat(bench.events()).containsExactly(new TenureEvent.Elected(Bench.NAME, 10));
    }

    @Test
    void law26_a_term_that_claims_fences_is_published_only_when_they_are_claimed_and_is_renewed_meanwhile() {
        Bench bench = Bench.leader(Setting.election().claims());
        assertThat(bench.events()).isEmpty();
        assertThat(bench.all(Effect.Publish.class)).isEmpty();
        assertThat(bench.all(Effect.SendRenew.class)).hasSize(1);
        bench.renewed();
        bench.runTo(200);
        assertThat(bench.all(Effect.SendRenew.class)).hasSize(2);

        bench.on(new Signal.Claimed());

        assertThat(bench.last())
                .containsExactly(new Effect.Tell(new TenureEvent.Elected(Bench.NAME, 10)), new Effect.Publish());
    }

    @Test
    void law26_a_fence_that_cannot_be_claimed_ends_the_term_unelected_and_raises_the_floor_to_its_mark() {
        Bench bench = Bench.leader(Setting.election().claims());

        bench.at(10).workEnded(new StaleTokenException(Bench.NAME, 10, 70));
        bench.released(true);
        bench.runTo(200);
        bench.turn();

        assertThat(bench.events(TenureEvent.Elected.class)).isEmpty();
        assertThat(bench.events(TenureEvent.SteppedDown.class)).isEmpty();
        assertThat(bench.events(TenureEvent.WorkFailed.class)).hasSize(1);
        assertThat(bench.events(TenureEvent.FenceRejected.class))
                .containsExactly(new TenureEvent.FenceRejected(Bench.NAME, 10, 70));
        assertThat(bench.latest(Effect.Finish.class).reason()).isEqualTo(EndReason.WORK_FAILED);
        assertThat(bench.acquire().floor()).isEqualTo(70);
    }

    @Test
    void law26_a_mark_that_no_token_can_have_does_not_raise_the_floor() {
        Bench bench = Bench.leader(Setting.election().claims());

        bench.workEnded(new StaleTokenException(Bench.NAME, 10, Long.MAX_VALUE));

        assertThat(bench.machine.standing().floor()).isEqualTo(10);
    }

    @Test
    void law12_a_term_that_was_given_up_during_its_claims_is_never_elected() {
        Bench bench = Bench.leader(Setting.election().claims());
        bench.end(EndReason.CLOSED);

        bench.on(new Signal.Claimed());

        assertThat(bench.events(TenureEvent.Elected.class)).isEmpty();
        assertThat(bench.all(Effect.Publish.class)).isEmpty();
    }

    @Test
    void law26_claims_that_have_not_ended_within_the_drain_timeout_end_the_term_as_failed_work() {
        Bench bench = Bench.leader(Setting.election().claims().drainTimeout(500));
        bench.renewed();
        bench.runTo(200);
        bench.renewed();
        bench.runTo(400);
        bench.renewed();
        bench.runTo(499);
        assertThat(bench.events()).isEmpty();

        bench.runTo(500);

        assertThat(bench.events(TenureEvent.WorkFailed.class))
                .singleElement()
                .satisfies(failed -> assertThat(failed.cause())
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("'n'")
                        .hasMessageContaining("token 10")
                        .hasMessageContaining("within the drain timeout of 500 ms"));
        assertThat(bench.last(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.WORK_FAILED));
        assertThat(bench.all(Effect.SendRelease.class))
                .as("not before the claim has ended")
                .isEmpty();
        bench.at(510).workEnded(StoreException.passing("interrupted"));
        assertThat(bench.release().mode()).isEqualTo(ReleaseMode.PLAIN);
        bench.released(true);
        assertThat(bench.nextTimer() - bench.now()).as("others go first").isBetween(79L, 100L);
    }

    @Test
    void law12_a_claim_that_does_not_end_after_its_bound_is_abandoned_and_nobody_stands_again_before_it_ended() {
        Bench bench = Bench.leader(Setting.election().claims().drainTimeout(150));
        bench.renewed();

        bench.runTo(200);
        bench.renewed();
        bench.runTo(299);
        assertThat(bench.events(TenureEvent.DrainOverrun.class)).isEmpty();
        bench.runTo(300);
        assertThat(bench.events(TenureEvent.DrainOverrun.class)).hasSize(1);
        assertThat(bench.release().mode()).isEqualTo(ReleaseMode.BURN);
        bench.released(true);
        bench.runTo(20_000);
        assertThat(bench.all(Effect.JoinLine.class)).isEmpty();
        assertThat(bench.all(Effect.SendAcquire.class)).hasSize(1);

        bench.workEnded(null);
        bench.runTo(20_100);
        assertThat(bench.all(Effect.JoinLine.class)).hasSize(1);
        assertThat(bench.events(TenureEvent.Elected.class)).isEmpty();
    }

    @Test
    void law26_work_whose_fences_were_claimed_in_time_is_not_bounded() {
        Bench bench = Bench.leader(Setting.election().claims().drainTimeout(150));
        bench.renewed();
        bench.at(149).on(new Signal.Claimed());

        for (int i = 0; i < 10; i++) {
            bench.runTo(200 * (i + 1));
            bench.renewed();
        }

        assertThat(bench.events()).containsExactly(new TenureEvent.Elected(Bench.NAME, 10));
    }

    // ---- the work ends

    @Test
    void law13_returning_from_the_work_ends_the_term_and_releases() {
        Bench bench = working();

        bench.at(50).workEnded(null);
        assertThat(bench.last(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.WORK_RETURNED));
        assertThat(bench.last(Effect.SendRelease.class)).hasSize(1);
        bench.released(true);

        assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.WORK_RETURNED));
    }

    @Test
    void law13_work_that_fails_is_told_and_stands_again_after_a_back_off_that_doubles() {
        Bench bench = Bench.leader(Setting.election().work());
        long before = 0;
        for (int failures = 1; failures <= 6; failures++) {
            IllegalStateException failure = new IllegalStateException("no disk");
            bench.at(before + 10).workEnded(failure);
            assertThat(bench.events()).last().isEqualTo(new TenureEvent.WorkFailed(Bench.NAME, 10, failure));
            bench.released(true);
            assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.WORK_FAILED));
            long most = Math.min(900, 100L << (failures - 1));
            long least = Math.max(100, most * 4 / 5 - 1);
            assertThat(bench.nextTimer() - bench.now()).as("pause %s", failures).isBetween(least, most);
            before = bench.nextTimer() + 1;
            bench.runTo(before);
            bench.turn();
            bench.granted(10);
        }
    }

    @Test
    void law13_after_work_that_failed_the_pause_is_never_shorter_than_that_of_those_who_look() {
        for (long seed = 0; seed < 200; seed++) {
            Bench bench = Bench.leader(Setting.election().work().seed(seed * 0x9E3779B97F4A7C15L));

            bench.at(10).workEnded(new IllegalStateException("no disk"));
            bench.released(true);

            assertThat(bench.nextTimer() - bench.now()).as("seed %s", seed).isGreaterThanOrEqualTo(100);
        }
    }

    @Test
    void law25_work_that_its_own_fence_refused_has_lost_its_lease_and_follows_at_once() {
        Bench bench = working();

        bench.at(50).workEnded(new StaleTokenException(Bench.NAME, 10, 70));

        assertThat(bench.events())
                .endsWith(
                        new TenureEvent.LeaseLost(Bench.NAME, 10, EndReason.TAKEN),
                        new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.TAKEN));
        assertThat(bench.events(TenureEvent.WorkFailed.class)).isEmpty();
        assertThat(bench.all(Effect.SendRelease.class))
                .as("there is nothing to release")
                .isEmpty();
        bench.turn();
        assertThat(bench.acquire().floor()).isEqualTo(70);
    }

    @Test
    void law25_draining_work_that_its_own_fence_refuses_has_not_failed() {
        Bench bench = working();
        resign(bench);

        bench.workEnded(new StaleTokenException(Bench.NAME, 10, 70));

        assertThat(bench.events(TenureEvent.WorkFailed.class)).isEmpty();
    }

    @Test
    void law13_work_refused_by_another_fence_or_for_another_token_or_by_a_mark_that_proves_nothing_has_failed() {
        for (StaleTokenException other : List.of(
                new StaleTokenException("another", 10, 70),
                new StaleTokenException(Bench.NAME, 9, 70),
                new StaleTokenException(Bench.NAME, 10, 10),
                new StaleTokenException(Bench.NAME, 10, -1),
                new StaleTokenException("another", 10, 0),
                new StaleTokenException(Bench.NAME, 9, 0),
                new StaleTokenException(Bench.NAME, 10, Long.MAX_VALUE))) {
            Bench bench = working();
            bench.workEnded(other);
            bench.released(true);
            assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.WORK_FAILED));
        }
    }

    @Test
    void law13_an_error_of_the_work_ends_the_candidacy_too() {
        Error error = new StackOverflowError();
        Bench now = working();
        now.workEnded(error);
        now.released(true);
        assertThat(now.retired())
                .extracting(Effect.Retire::reason, Effect.Retire::failure)
                .containsExactly(EndReason.WORK_FAILED, error);

        Bench draining = working();
        resign(draining);
        draining.workEnded(error);
        draining.released(true);
        assertThat(draining.retired().failure()).isSameAs(error);
        assertThat(draining.events()).endsWith(RESIGNED);
    }

    @Test
    void law13_an_interrupt_or_a_noticed_loss_of_work_that_drains_is_no_failure() {
        for (Throwable expected :
                List.of(new InterruptedException(), new LeaseLostException(Bench.NAME, 10, EndReason.RESIGNED))) {
            Bench bench = working();
            resign(bench);
            bench.workEnded(expected);
            assertThat(bench.events(TenureEvent.WorkFailed.class)).isEmpty();
        }
        Bench bench = working();
        resign(bench);
        bench.workEnded(new IllegalStateException());
        assertThat(bench.events(TenureEvent.WorkFailed.class)).hasSize(1);
    }
}
