package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.ReleaseMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How holds end: laws 3, 12, 13, 16 and 26. */
class LeaseMachineEndingTest {
    private static final TenureEvent.SteppedDown RESIGNED =
            new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.RESIGNED);

    private static Bench working() {
        Bench bench = Bench.leader(Setting.election().work().drainTimeout(1_500));
        bench.renewed();
        return bench;
    }

    private static void resign(Bench bench) {
        bench.on(new Signal.End(EndReason.RESIGNED, 10));
    }

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

    // ---- loss

    @Test
    void law12_after_a_loss_the_work_is_awaited_and_only_then_the_elector_contends_again_at_once() {
        Bench bench = working();
        bench.runTo(200);

        bench.at(210).lost(stranger(11, 900));
        assertThat(bench.last())
                .containsExactly(
                        new Effect.Finish(EndReason.TAKEN),
                        new Effect.Tell(new TenureEvent.LeaseLost(Bench.NAME, 10, EndReason.TAKEN)));
        bench.runTo(1_000);
        assertThat(bench.last()).as("waits for the work").isEmpty();
        bench.workEnded(new InterruptedException());

        assertThat(bench.last())
                .containsExactly(
                        new Effect.Tell(new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.TAKEN)),
                        new Effect.JoinLine());
        assertThat(bench.all(Effect.SendRelease.class))
                .as("nothing of ours to release")
                .isEmpty();
    }

    @Test
    void law12_after_a_loss_work_that_does_not_end_is_told_and_this_instance_does_not_contend_before_it_has() {
        Bench bench = working();
        bench.runTo(200);
        bench.at(210).lost(stranger(11, 900));

        bench.runTo(1_709);
        assertThat(bench.events(TenureEvent.DrainOverrun.class)).isEmpty();
        bench.runTo(1_710);
        assertThat(bench.events()).endsWith(new TenureEvent.DrainOverrun(Bench.NAME, 10, Duration.ofMillis(1_500)));
        bench.runTo(100_000);
        assertThat(bench.last()).isEmpty();
        bench.workEnded(null);

        assertThat(bench.last(Effect.JoinLine.class)).hasSize(1);
    }

    @Test
    void law12_after_a_loss_closing_does_not_wait_for_the_work_beyond_the_drain_timeout() {
        Bench bench = working();
        bench.runTo(200);
        bench.at(210).lost(stranger(11, 900));
        bench.at(300).end(EndReason.CLOSED);
        assertThat(bench.all(Effect.Retire.class)).isEmpty();

        bench.runTo(1_710);

        assertThat(bench.retired().reason()).isEqualTo(EndReason.CLOSED);
        assertThat(bench.workEnded(null)).isEmpty();
    }

    // ---- voluntary ends

    @Test
    void law12_a_voluntary_end_is_final_for_the_user_at_once_but_keeps_the_claim_while_the_work_drains() {
        Bench bench = working();

        bench.at(50);
        resign(bench);
        assertThat(bench.last()).containsExactly(new Effect.Finish(EndReason.RESIGNED));
        for (long due = 200; due <= 1_400; due += 200) {
            bench.runTo(due);
            assertThat(bench.last(Effect.SendRenew.class))
                    .as("renewal at %s", due)
                    .hasSize(1);
            bench.renewed();
            assertThat(bench.last(Effect.Extend.class)).as("for the claim only").isEmpty();
        }
        bench.at(1_450).workEnded(null);
        assertThat(bench.last(Effect.SendRelease.class))
                .extracting(Effect.SendRelease::mode)
                .containsExactly(ReleaseMode.PLAIN);
        assertThat(bench.events(TenureEvent.SteppedDown.class)).isEmpty();
        bench.at(1_460).released(true);

        assertThat(bench.events()).endsWith(RESIGNED);
        assertThat(bench.events(TenureEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void law12_failed_renewals_while_draining_are_retried_before_the_deadline() {
        Bench bench = working();
        bench.at(50);
        resign(bench);
        for (long due : new long[] {200, 400, 600}) {
            bench.runTo(due);
            assertThat(bench.last(Effect.SendRenew.class)).hasSize(1);
            bench.failed(bench.renewal().call(), passing());
        }
        bench.runTo(800);
        bench.renewed();

        bench.runTo(999);

        assertThat(bench.events(TenureEvent.RenewalFailed.class)).hasSize(3);
        assertThat(bench.events(TenureEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void law12_a_failure_while_draining_that_overtakes_the_timer_of_its_bound_is_an_answer_like_any_other() {
        Bench bench = Bench.leader(Setting.election().work());
        bench.runTo(200); // call 2 is abandoned, and hangs
        resign(bench);
        int second = bench.renewal().call();

        bench.at(401).failed(second, passing());
        bench.runTo(500);

        assertThat(bench.renewal().call()).as("retried").isGreaterThan(second);
    }

    @Test
    void law12_losing_the_claim_while_draining_is_an_event_and_no_second_end() {
        for (boolean byAnswer : new boolean[] {true, false}) {
            Bench bench = working();
            bench.at(50);
            resign(bench);
            bench.runTo(200);
            if (byAnswer) {
                bench.at(210).lost(stranger(11, 900));
            } else {
                bench.runTo(900);
            }

            assertThat(bench.events())
                    .endsWith(
                            new TenureEvent.LeaseLost(Bench.NAME, 10, byAnswer ? EndReason.TAKEN : EndReason.EXPIRED));
            assertThat(bench.all(Effect.Finish.class)).hasSize(1);
            bench.runTo(1_400);
            bench.workEnded(null);
            assertThat(bench.events()).endsWith(RESIGNED);
            assertThat(bench.all(Effect.SendRelease.class)).isEmpty();
        }
    }

    @Test
    void law12_an_overrun_burns_the_token_and_this_instance_does_not_contend_before_the_work_has_ended() {
        Bench bench = working();
        bench.at(50);
        resign(bench);
        bench.runTo(200);
        bench.renewed();

        for (long due = 400; due < 1_550; due += 200) {
            bench.runTo(due);
            bench.renewed();
        }
        bench.runTo(1_550);

        assertThat(bench.events()).endsWith(new TenureEvent.DrainOverrun(Bench.NAME, 10, Duration.ofMillis(1_500)));
        assertThat(bench.release().mode()).isEqualTo(ReleaseMode.BURN);
        bench.released(true);
        assertThat(bench.events(TenureEvent.SteppedDown.class)).isEmpty();
        bench.runTo(50_000);
        assertThat(bench.last()).isEmpty();
        bench.workEnded(new IllegalStateException("woke up at last"));
        assertThat(bench.events()).endsWith(RESIGNED);
        assertThat(bench.nextTimer()).isEqualTo(50_100);
    }

    @Test
    void law12_work_that_ends_while_its_burnt_lease_is_released_waits_for_the_release() {
        Bench bench = overrun();

        bench.workEnded(null);
        assertThat(bench.last()).isEmpty();
        bench.released(true);

        assertThat(bench.events()).endsWith(RESIGNED);
        assertThat(bench.all(Effect.SendRelease.class)).hasSize(1);
    }

    @Test
    void law12_closing_after_an_overrun_returns_although_the_work_runs_on() {
        Bench before = overrun();
        before.end(EndReason.CLOSED);
        assertThat(before.all(Effect.Retire.class)).isEmpty();
        before.released(true);
        assertThat(before.retired().reason()).isEqualTo(EndReason.CLOSED);

        Bench after = overrun();
        after.released(true);
        after.end(EndReason.CLOSED);
        assertThat(after.events()).endsWith(RESIGNED);
        assertThat(after.retired().reason()).isEqualTo(EndReason.CLOSED);
    }

    private static Bench overrun() {
        Bench bench = Bench.leader(Setting.election().work().drainTimeout(150));
        bench.renewed();
        resign(bench);
        bench.runTo(150);
        assertThat(bench.all(Effect.SendRelease.class)).hasSize(1);
        return bench;
    }

    @Test
    void law12_closing_during_a_resignation_closes_the_candidacy_but_not_the_reason_of_the_term() {
        Bench bench = working();
        resign(bench);
        bench.end(EndReason.CLOSED);
        bench.end(EndReason.INTERRUPTED);
        bench.at(60).workEnded(null);
        bench.released(true);

        assertThat(bench.events()).endsWith(RESIGNED);
        assertThat(bench.retired().reason()).isEqualTo(EndReason.CLOSED);
        assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.RESIGNED));
    }

    @Test
    void an_end_that_was_meant_for_an_earlier_term_does_not_end_this_one() {
        Bench bench = working();

        bench.on(new Signal.End(EndReason.RESIGNED, 9));

        assertThat(bench.last()).isEmpty();
        assertThat(bench.phase()).isEqualTo(Phase.HOLDING);
    }

    @Test
    void closing_after_the_deadline_is_a_loss_that_closes() {
        Bench bench = working();

        bench.at(900).end(EndReason.CLOSED);
        assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.EXPIRED));
        bench.workEnded(null);

        assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.EXPIRED));
        assertThat(bench.retired().reason()).isEqualTo(EndReason.CLOSED);
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
            assertThat(bench.nextTimer() - bench.now()).as("pause %s", failures).isBetween(most * 4 / 5 - 1, most);
            before = bench.nextTimer() + 1;
            bench.runTo(before);
            bench.turn();
            bench.granted(10);
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

    // ---- holding off

    @Test
    void law16_after_a_voluntary_end_the_instance_holds_off_for_one_retry_interval_whatever_is_pushed() {
        Bench bench = Bench.leader(Setting.election());
        bench.at(50);
        resign(bench);
        bench.at(60).released(true);
        assertThat(bench.last(Effect.JoinLine.class)).isEmpty();

        bench.woken(0);
        bench.runTo(159);
        assertThat(bench.all(Effect.JoinLine.class)).isEmpty();
        bench.runTo(160);

        assertThat(bench.all(Effect.JoinLine.class)).hasSize(1);
        bench.turn();
        assertThat(bench.acquire().attempt()).isEqualTo(2);
    }

    @Test
    void law16_after_a_loss_it_does_not() {
        Bench bench = Bench.leader(Setting.election());

        bench.at(10).lost(null);

        assertThat(bench.last(Effect.JoinLine.class)).hasSize(1);
    }

    // ---- releasing

    @Test
    void law10_a_release_may_take_as_long_as_the_ttl_or_two_seconds() {
        Bench bench = Bench.lock(Setting.lock());
        bench.at(10).on(new Signal.End(EndReason.RELEASED, 10));
        bench.runTo(909);
        assertThat(bench.last()).isEmpty();
        bench.runTo(910);
        assertThat(bench.last(Effect.Abandon.class)).hasSize(1);
        assertThat(bench.latest(Effect.ReleaseDone.class).failure()).isInstanceOf(StoreException.class);
        assertThat(bench.events(TenureEvent.ReleaseFailed.class)).hasSize(1);
        assertThat(bench.retired().reason()).isEqualTo(EndReason.RELEASED);

        Bench long30 = Bench.lock(Setting.lock().ttl(30_000).renewEvery(9_000));
        long30.at(10).on(new Signal.End(EndReason.RELEASED, 10));
        assertThat(long30.nextTimer()).isEqualTo(2_010);
    }

    @Test
    void a_release_is_answered_to_its_user() {
        Bench done = Bench.lock(Setting.lock());
        done.on(new Signal.End(EndReason.RELEASED, 10));
        done.released(true);
        assertThat(done.last())
                .containsExactly(
                        new Effect.Tell(new TenureEvent.LockReleased(Bench.NAME, 10, EndReason.RELEASED)),
                        new Effect.ReleaseDone(null),
                        new Effect.Retire(EndReason.RELEASED, null, java.util.Optional.empty()));

        Bench gone = Bench.lock(Setting.lock());
        gone.at(20).on(new Signal.End(EndReason.RELEASED, 10));
        gone.at(30).released(false);
        assertThat(gone.latest(Effect.ReleaseDone.class).failure()).isInstanceOf(LeaseLostException.class);
        assertThat(gone.events()).endsWith(new TenureEvent.LeaseLost(Bench.NAME, 10, EndReason.FORCED));

        Bench failing = Bench.lock(Setting.lock());
        failing.on(new Signal.End(EndReason.RELEASED, 10));
        StoreException cause = passing();
        failing.failed(failing.release().call(), cause);
        assertThat(failing.latest(Effect.ReleaseDone.class).failure()).isSameAs(cause);
        assertThat(failing.events()).endsWith(new TenureEvent.ReleaseFailed(Bench.NAME, 10, cause));
        assertThat(failing.all(Effect.Abandon.class))
                .as("nothing is cancelled that has ended")
                .isEmpty();
    }

    @Test
    void a_release_of_what_is_over_is_a_loss() {
        Bench late = Bench.lock(Setting.lock());
        late.at(900).on(new Signal.End(EndReason.RELEASED, 10));
        assertThat(late.latest(Effect.ReleaseDone.class).failure())
                .isInstanceOfSatisfying(
                        LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(EndReason.EXPIRED));
        assertThat(late.retired().reason()).isEqualTo(EndReason.EXPIRED);

        Bench twice = Bench.lock(Setting.lock());
        twice.on(new Signal.End(EndReason.RELEASED, 10));
        twice.on(new Signal.End(EndReason.RELEASED, 10));
        assertThat(twice.last()).hasSize(1);
        assertThat(twice.latest(Effect.ReleaseDone.class).failure()).isInstanceOf(LeaseLostException.class);

        Bench over = Bench.lock(Setting.lock());
        over.runTo(200);
        over.lost(stranger(11, 500));
        over.on(new Signal.End(EndReason.RELEASED, 10));
        assertThat(over.latest(Effect.ReleaseDone.class).failure())
                .isInstanceOfSatisfying(
                        LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(EndReason.TAKEN));
    }

    @Test
    void a_lock_that_its_tenure_closes_is_released_with_its_token_burnt() {
        Bench bench = Bench.lock(Setting.lock());

        bench.end(EndReason.CLOSED);

        assertThat(bench.release().mode()).isEqualTo(ReleaseMode.BURN);
    }

    @Test
    void law04_after_a_release_that_was_not_answered_the_next_attempt_does_not_take_over_before_the_call_is_over() {
        Bench bench = Bench.leader(Setting.election());
        bench.renewed();
        resign(bench);
        bench.runTo(900); // abandons the release
        bench.runTo(1_000);
        bench.turn();
        assertThat(bench.acquire().takeover()).isEqualTo(io.tenure.spi.Takeover.NONE);
        bench.denied(Bench.heldBy(Bench.HOLDER, Bench.INCARNATION, 1, 10, 500));
        assertThat(bench.phase()).as("no use to ask again at once").isEqualTo(Phase.WAITING);
        assertThat(bench.nextTimer()).isGreaterThanOrEqualTo(1_005);
        assertThat(bench.events(TenureEvent.Following.class))
                .as("a leftover of ours is nobody to follow")
                .isEmpty();

        bench.on(new Signal.CallOver(bench.release().call()));
        bench.runTo(1_000 + 501);

        assertThat(bench.acquire().takeover()).isEqualTo(io.tenure.spi.Takeover.SAME_INCARNATION);
    }
}
