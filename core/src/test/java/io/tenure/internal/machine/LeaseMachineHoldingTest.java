package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.reading;
import static io.tenure.internal.machine.Bench.stranger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.ReleaseMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the grant to the end: laws 8, 10 and 18, refreshing, danger, and how long a hold may last. */
class LeaseMachineHoldingTest {

    // ---- the deadline

    @Test
    void law08_the_deadline_counts_from_before_the_attempt_was_sent() {
        Bench bench = Bench.candidate(Setting.election());
        bench.at(10).turn();

        bench.at(40).granted(10);

        assertThat(reading(bench.begun().deadline())).isEqualTo(910);
    }

    @Test
    void law08_the_deadline_counts_from_before_the_renewal_was_sent() {
        Bench bench = Bench.leader(Setting.election());
        bench.at(30).renewed();
        bench.runTo(200);

        bench.at(290).renewed();

        assertThat(bench.last(Effect.Extend.class))
                .extracting(extend -> reading(extend.deadline()))
                .containsExactly(1_100L);
    }

    @Test
    void law08_a_grant_that_arrives_at_its_own_deadline_is_no_lease() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();

        bench.at(900).granted(10);

        assertThat(bench.all(Effect.Begin.class)).isEmpty();
        assertThat(bench.phase()).isEqualTo(Phase.WAITING);
        assertThat(bench.events(TenureEvent.AttemptFailed.class)).hasSize(1);
    }

    @Test
    void law08_a_grant_just_before_its_deadline_is_a_lease() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();

        bench.at(899).granted(10);

        assertThat(reading(bench.begun().deadline())).isEqualTo(900);
    }

    @Test
    void law08_a_single_attempt_whose_grant_is_too_late_gives_back_once_what_it_may_have_been_granted() {
        Bench bench = Bench.once(Setting.lock());
        bench.turn();

        bench.at(900).granted(10);

        assertThat(bench.all(Effect.Disown.class)).containsExactly(new Effect.Disown(1));
        assertThat(bench.retired().failure()).isInstanceOf(StoreException.class);
    }

    @Test
    void law08_a_late_grant_asks_again_as_the_same_attempt_or_gives_that_attempt_back() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();
        bench.at(900).granted(10);

        bench.runTo(1_000);

        List<Long> asked = bench.all(Effect.SendAcquire.class).stream()
                .map(Effect.SendAcquire::attempt)
                .toList();
        assertThat(asked).hasSize(2);
        bench.end(EndReason.CLOSED);
        assertThat(bench.all(Effect.Disown.class)).last().isEqualTo(new Effect.Disown(asked.get(1)));
    }

    @Test
    void law08_a_renewal_that_is_answered_at_the_deadline_is_too_late_whatever_it_says() {
        for (int kind = 0; kind < 3; kind++) {
            Bench bench = Bench.leader(Setting.election());
            bench.at(900);
            switch (kind) {
                case 0 -> bench.renewed();
                case 1 -> bench.lost(stranger(11, 500));
                default -> bench.failed(bench.renewal().call(), passing());
            }

            assertThat(bench.all(Effect.Extend.class)).isEmpty();
            assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.EXPIRED));
        }
    }

    @Test
    void law08_without_an_answer_the_lease_ends_at_the_deadline_by_timer() {
        Bench bench = Bench.leader(Setting.election().work());

        bench.runTo(899);
        assertThat(bench.all(Effect.Finish.class)).isEmpty();
        bench.runTo(900);

        assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.EXPIRED));
        assertThat(bench.events()).contains(new TenureEvent.LeaseLost(Bench.NAME, 10, EndReason.EXPIRED));
    }

    @Test
    void law09_work_that_notices_the_deadline_before_the_timer_does_has_lost_its_lease() {
        for (Throwable failure : new Throwable[] {null, new LeaseLostException(Bench.NAME, 10, EndReason.EXPIRED)}) {
            Bench bench = Bench.leader(Setting.election().work());

            bench.at(900).workEnded(failure);

            assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.EXPIRED));
            assertThat(bench.events(TenureEvent.WorkFailed.class)).isEmpty();
            assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.EXPIRED));
            assertThat(bench.last(Effect.JoinLine.class))
                    .as("stands again at once")
                    .hasSize(1);
        }
    }

    // ---- the rhythm of renewals

    @Test
    void law10_the_first_renewal_of_a_term_is_sent_at_once() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();

        bench.at(40).granted(10);

        assertThat(bench.last(Effect.SendRenew.class)).containsExactly(new Effect.SendRenew(2, 1, 10));
        assertThat(bench.phase()).isEqualTo(Phase.RENEWING);
    }

    @Test
    void law10_the_first_renewal_of_a_lock_is_sent_one_interval_after_the_attempt() {
        Bench bench = Bench.once(Setting.lock());
        bench.turn();
        bench.at(40).granted(10);
        assertThat(bench.phase()).isEqualTo(Phase.HOLDING);
        assertThat(bench.nextTimer()).isEqualTo(200);

        bench.runTo(199);
        assertThat(bench.all(Effect.SendRenew.class)).isEmpty();
        bench.runTo(200);

        assertThat(bench.all(Effect.SendRenew.class)).hasSize(1);
    }

    @Test
    void law10_renewals_fall_due_by_when_the_last_one_was_sent_and_never_by_its_answer() {
        Bench bench = Bench.leader(Setting.election());
        bench.at(150).renewed();
        assertThat(bench.nextTimer()).isEqualTo(200);
        bench.runTo(200);

        bench.at(399).renewed();

        assertThat(bench.nextTimer()).isEqualTo(400);
    }

    @Test
    void law10_renewals_that_fail_stay_on_the_grid_and_know_no_back_off() {
        Bench bench = Bench.leader(Setting.election());
        bench.at(5).renewed();
        List<Long> sent = new ArrayList<>();
        for (long due : new long[] {200, 400, 600, 800}) {
            bench.runTo(due);
            sent.add(bench.last(Effect.SendRenew.class).isEmpty() ? -1 : bench.now());
            bench.at(due + 7).failed(bench.renewal().call(), passing());
        }

        assertThat(sent).containsExactly(200L, 400L, 600L, 800L);
        assertThat(bench.events(TenureEvent.RenewalFailed.class)).hasSize(4);
    }

    @Test
    void law10_a_failure_that_comes_after_the_next_point_of_the_grid_is_retried_at_once() {
        Bench bench = Bench.leader(Setting.election().ttl(3_000).renewEvery(1_000));
        bench.at(5).renewed();
        bench.runTo(1_000);

        bench.plusNanos(999_999_999).failed(bench.renewal().call(), passing());

        assertThat(bench.nextTimer()).isEqualTo(2_000);
    }

    @Test
    void law10_a_renewal_may_take_one_interval_or_half_of_the_time_that_is_left() {
        Bench bench = Bench.leader(Setting.election());
        bench.at(0).renewed();
        bench.runTo(200);
        assertThat(bench.nextTimer()).isEqualTo(400);
        bench.runTo(400);
        bench.on(new Signal.CallOver(bench.last(Effect.Abandon.class).get(0).call()));
        assertThat(bench.nextTimer()).isEqualTo(600);
        bench.runTo(600);
        bench.on(new Signal.CallOver(bench.last(Effect.Abandon.class).get(0).call()));
        assertThat(bench.nextTimer()).as("half of the 300 that are left").isEqualTo(750);
    }

    @ParameterizedTest
    @ValueSource(longs = {20, 100, 200, 300, 449, 450})
    void law10_a_failed_renewal_is_always_retried_before_the_deadline(long renewEvery) {
        for (int answerAfter : new int[] {0, 1, 50, -1}) { // -1: none, so that its bound ends it
            Bench bench = Bench.leader(Setting.election().renewEvery(renewEvery));
            bench.at(0).renewed();
            int failures = 0;
            while (bench.machine.nextTimer() != LeaseMachine.NEVER
                    && Bench.nanosOf(bench.machine.nextTimer()) < Bench.ms(900) - 2_000_000) {
                bench.runTo(bench.nextTimer() + (Bench.nanosOf(bench.machine.nextTimer()) % 1_000_000 == 0 ? 0 : 1));
                bench.all(Effect.Abandon.class).forEach(each -> bench.on(new Signal.CallOver(each.call())));
                if (answerAfter >= 0 && bench.phase() == Phase.RENEWING && bench.now() + answerAfter < 900) {
                    bench.at(bench.now() + answerAfter).failed(bench.renewal().call(), passing());
                    failures++;
                }
            }
            int renewals = bench.all(Effect.SendRenew.class).size() - 1;
            assertThat(bench.all(Effect.Finish.class)).isEmpty();
            assertThat(renewals)
                    .as("renewals, every %s ms, failing after %s", renewEvery, answerAfter)
                    .isGreaterThan(2);
            long lastSent = bench.now();
            assertThat(900 - lastSent).as("tries until the end").isLessThanOrEqualTo(55);
            assertThat(failures).isLessThanOrEqualTo(renewals);
        }
    }

    @Test
    void law10_one_renewal_that_is_never_answered_does_not_cost_a_lease_that_the_next_one_saves() {
        Bench bench = Bench.leader(Setting.election().renewEvery(450));
        bench.at(0).renewed();

        bench.runTo(450); // sent, never answered, and the client does not even take note of the cancellation
        bench.runTo(880);
        bench.renewed();

        assertThat(bench.last(Effect.Extend.class)).hasSize(1);
        assertThat(bench.all(Effect.Finish.class)).isEmpty();
    }

    @Test
    void law10_at_most_one_call_is_abandoned_and_not_over() {
        Bench bench = Bench.leader(Setting.election());

        bench.runTo(800);

        assertThat(bench.all(Effect.Abandon.class)).containsExactly(new Effect.Abandon(2));
        assertThat(bench.all(Effect.SendRenew.class))
                .extracting(Effect.SendRenew::call)
                .containsExactly(2, 3);
        assertThat(bench.events(TenureEvent.RenewalFailed.class)).hasSize(2);
    }

    @Test
    void law10_a_call_that_is_awaited_past_its_bound_still_counts_when_it_is_answered() {
        Bench bench = Bench.leader(Setting.election());
        bench.runTo(800);

        bench.renewed();

        assertThat(bench.last(Effect.Extend.class))
                .extracting(extend -> reading(extend.deadline()))
                .containsExactly(1_100L);
        assertThat(bench.phase()).isIn(Phase.HOLDING, Phase.RENEWING);
    }

    @Test
    void law10_once_the_abandoned_call_is_over_the_overdue_one_is_given_up_and_retried() {
        Bench bench = Bench.leader(Setting.election());
        bench.runTo(700);

        bench.on(new Signal.CallOver(2));
        bench.runTo(700);

        assertThat(bench.all(Effect.Abandon.class))
                .extracting(Effect.Abandon::call)
                .containsExactly(2, 3);
        assertThat(bench.last(Effect.SendRenew.class))
                .extracting(Effect.SendRenew::call)
                .as("at once")
                .containsExactly(4);
        assertThat(bench.events(TenureEvent.RenewalFailed.class))
                .as("told once a call")
                .hasSize(2);
    }

    @Test
    void law10_a_failure_that_overtakes_the_timer_of_its_bound_is_an_answer_like_any_other() {
        Bench bench = Bench.leader(Setting.election());
        bench.runTo(200); // call 2 is abandoned, and hangs
        int second = bench.renewal().call();

        bench.at(401).failed(second, passing());
        bench.runTo(500);

        assertThat(bench.renewal().call()).as("retried").isGreaterThan(second);
        assertThat(bench.all(Effect.Abandon.class))
                .as("nothing is cancelled that has ended")
                .hasSize(1);
    }

    @Test
    void law10_renewals_may_go_out_a_fiftieth_of_their_interval_early_together_with_others() {
        Bench bench = Bench.leader(Setting.election());
        bench.at(5).renewed();
        assertThat(bench.machine.timerSlack()).isEqualTo(Bench.ms(4));

        bench.at(195).tick();
        assertThat(bench.last(Effect.SendRenew.class)).isEmpty();
        bench.at(196).tick();

        assertThat(bench.last(Effect.SendRenew.class)).hasSize(1);
    }

    @Test
    void law10_other_timers_have_no_slack() {
        Bench bench = Bench.leader(Setting.election());
        assertThat(bench.phase()).isEqualTo(Phase.RENEWING);
        assertThat(bench.machine.timerSlack()).isZero();

        Bench unrenewed = Bench.lock(Setting.lock().renewEvery(0));
        assertThat(unrenewed.machine.timerSlack()).isZero();
        assertThat(unrenewed.nextTimer()).isEqualTo(900);
    }

    @Test
    void late_and_duplicate_answers_change_nothing() {
        Bench bench = Bench.leader(Setting.election());
        int attempt = bench.acquire().call();
        int renewal = bench.renewal().call();
        bench.at(10).renewed();
        Phase phase = bench.phase();
        long timer = bench.machine.nextTimer();

        for (int call : new int[] {attempt, renewal, 0, 77}) {
            assertThat(bench.on(new Signal.Granted(call, 99, OptionalLong.empty())))
                    .isEmpty();
            assertThat(bench.on(new Signal.Denied(call, stranger(12, 5), 1, true)))
                    .isEmpty();
            assertThat(bench.on(new Signal.Renewed(call, OptionalLong.empty()))).isEmpty();
            assertThat(bench.on(new Signal.Lost(call, java.util.Optional.empty())))
                    .isEmpty();
            assertThat(bench.on(new Signal.Failed(call, passing()))).isEmpty();
            assertThat(bench.on(new Signal.Released(call, true))).isEmpty();
            assertThat(bench.on(new Signal.CallOver(call))).isEmpty();
        }

        assertThat(bench.phase()).isEqualTo(phase);
        assertThat(bench.machine.nextTimer()).isEqualTo(timer);
    }

    @Test
    void the_answer_to_an_abandoned_renewal_does_not_extend() {
        Bench bench = Bench.leader(Setting.election());
        bench.runTo(200);
        assertThat(bench.all(Effect.Abandon.class)).containsExactly(new Effect.Abandon(2));

        assertThat(bench.on(new Signal.Renewed(2, OptionalLong.empty()))).isEmpty();
    }

    // ---- losing

    @Test
    void law05_a_renewal_that_is_answered_lost_ends_the_term_by_who_has_the_name_now() {
        assertThat(reasonAfter(stranger(11, 500))).isEqualTo(EndReason.TAKEN);
        assertThat(reasonAfter(null)).isEqualTo(EndReason.FORCED);
        assertThat(reasonAfter(Bench.heldBy(Bench.HOLDER, Bench.INCARNATION, 1, 10, 5)))
                .isEqualTo(EndReason.FORCED);
        assertThat(reasonAfter(Bench.heldBy(Bench.HOLDER, Bench.OTHER, 1, 11, 5)))
                .isEqualTo(EndReason.DUPLICATE_HOLDER);
        assertThat(reasonAfter(Bench.heldBy(Bench.HOLDER, "", 0, 0, 5)))
                .as("not of Tenure")
                .isEqualTo(EndReason.TAKEN);
    }

    private static EndReason reasonAfter(io.tenure.LeaseRecord current) {
        Bench bench = Bench.leader(Setting.election());
        bench.at(10).lost(current);
        assertThat(bench.events(TenureEvent.SteppedDown.class)).hasSize(1);
        return bench.latest(Effect.Finish.class).reason();
    }

    @Test
    void law18_a_lock_without_renewal_ends_at_its_deadline_by_timer() {
        Bench bench = Bench.lock(Setting.lock().renewEvery(0));
        assertThat(bench.nextTimer()).isEqualTo(900);

        bench.runTo(899);
        assertThat(bench.all(Effect.Finish.class)).isEmpty();
        bench.runTo(900);

        assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.EXPIRED));
        assertThat(bench.retired().reason()).isEqualTo(EndReason.EXPIRED);
        assertThat(bench.all(Effect.SendRenew.class)).isEmpty();
        assertThat(bench.events(TenureEvent.LeaseInDanger.class))
                .as("nobody promised to renew it")
                .isEmpty();
    }

    @Test
    void law18_the_renewal_under_way_is_cancelled_before_the_release_is_sent_and_none_follows() {
        Bench bench = Bench.lock(Setting.lock());
        bench.runTo(200);

        bench.at(210).on(new Signal.End(EndReason.RELEASED, 10));

        assertThat(bench.last())
                .containsExactly(
                        new Effect.Finish(EndReason.RELEASED),
                        new Effect.Abandon(2),
                        new Effect.SendRelease(3, 1, 10, Duration.ZERO, ReleaseMode.PLAIN));
        bench.runTo(5_000);
        assertThat(bench.all(Effect.SendRenew.class)).hasSize(1);
    }

    // ---- refreshing

    @Test
    void a_refresh_extends_by_the_ttl_from_when_it_was_sent() {
        Bench bench = Bench.lock(Setting.lock().renewEvery(0));
        bench.at(500).on(new Signal.Refresh());
        assertThat(bench.last(Effect.SendRenew.class)).hasSize(1);

        bench.at(550).renewed();

        assertThat(bench.last())
                .containsExactly(new Effect.Extend(bench.machine.nextTimer()), new Effect.Refreshed(null));
        assertThat(bench.nextTimer()).isEqualTo(1_400);
    }

    @Test
    void a_refresh_that_fails_says_so_and_leaves_the_lease_as_it_was() {
        Bench bench = Bench.lock(Setting.lock().renewEvery(0));
        bench.at(500).on(new Signal.Refresh());
        StoreException cause = passing();

        bench.at(550).failed(bench.renewal().call(), cause);

        assertThat(bench.last(Effect.Refreshed.class)).containsExactly(new Effect.Refreshed(cause));
        assertThat(bench.nextTimer()).isEqualTo(900);
        assertThat(bench.phase()).isEqualTo(Phase.HOLDING);
    }

    @Test
    void a_refresh_may_take_a_third_of_the_ttl() {
        Bench bench = Bench.lock(Setting.lock().renewEvery(0));
        bench.at(100).on(new Signal.Refresh());

        bench.runTo(399);
        assertThat(bench.all(Effect.Refreshed.class)).isEmpty();
        bench.runTo(400);

        assertThat(bench.last(Effect.Refreshed.class)).hasSize(1);
        assertThat(bench.latest(Effect.Refreshed.class).failure())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("'n'");
        assertThat(bench.all(Effect.SendRenew.class))
                .as("nobody asked for another one")
                .hasSize(1);
    }

    @Test
    void a_refresh_that_is_asked_for_during_a_renewal_follows_it() {
        Bench bench = Bench.lock(Setting.lock());
        bench.runTo(200);
        bench.at(210).on(new Signal.Refresh());
        assertThat(bench.last()).isEmpty();

        bench.at(220).renewed();
        assertThat(bench.last(Effect.Refreshed.class)).isEmpty();
        assertThat(bench.last(Effect.SendRenew.class)).hasSize(1);
        bench.at(230).renewed();

        assertThat(bench.last(Effect.Refreshed.class)).containsExactly(new Effect.Refreshed(null));
        assertThat(bench.last(Effect.Extend.class))
                .extracting(extend -> reading(extend.deadline()))
                .containsExactly(1_120L);
    }

    @Test
    void a_refresh_that_waits_for_a_renewal_follows_it_at_once_when_that_one_fails_or_is_given_up() {
        Bench failing = Bench.lock(Setting.lock());
        failing.runTo(200);
        failing.on(new Signal.Refresh());
        failing.at(210).failed(failing.renewal().call(), passing());
        assertThat(failing.last(Effect.SendRenew.class)).hasSize(1);

        Bench silent = Bench.lock(Setting.lock().ttl(900).renewEvery(300));
        silent.runTo(300);
        silent.at(310).on(new Signal.Refresh());
        silent.runTo(600);
        assertThat(silent.last(Effect.SendRenew.class)).hasSize(1);
        silent.at(610).renewed();
        assertThat(silent.last(Effect.Refreshed.class)).containsExactly(new Effect.Refreshed(null));
    }

    @Test
    void a_refresh_of_a_lease_that_is_over_is_a_loss() {
        Bench late = Bench.lock(Setting.lock().renewEvery(0));
        late.at(900).on(new Signal.Refresh());
        assertLost(late, EndReason.EXPIRED);

        Bench lost = Bench.lock(Setting.lock());
        lost.runTo(200);
        lost.on(new Signal.Refresh());
        lost.at(210).lost(stranger(11, 500));
        assertLost(lost, EndReason.TAKEN);
        lost.on(new Signal.Refresh());
        assertLost(lost, EndReason.TAKEN);

        Bench released = Bench.lock(Setting.lock());
        released.at(10).on(new Signal.End(EndReason.RELEASED, 10));
        released.on(new Signal.Refresh());
        assertLost(released, EndReason.RELEASED);
    }

    @Test
    void a_refresh_under_way_is_lost_when_the_lease_is_given_up() {
        Bench bench = Bench.lock(Setting.lock());
        bench.at(10).on(new Signal.Refresh());

        bench.on(new Signal.End(EndReason.RELEASED, 10));

        assertLost(bench, EndReason.RELEASED);
    }

    private static void assertLost(Bench bench, EndReason reason) {
        assertThat(bench.last(Effect.Refreshed.class)).hasSize(1);
        assertThat(bench.latest(Effect.Refreshed.class).failure())
                .isInstanceOfSatisfying(LeaseLostException.class, loss -> {
                    assertThat(loss.reason()).isEqualTo(reason);
                    assertThat(loss.token()).isEqualTo(10);
                });
    }

    // ---- danger, regressions, and how long a hold lasts

    @Test
    void two_thirds_of_the_ttl_without_a_renewal_are_told_once_and_again_after_the_next_one() {
        Bench bench = Bench.leader(Setting.election());
        bench.runTo(599);
        assertThat(bench.events(TenureEvent.LeaseInDanger.class)).isEmpty();
        bench.runTo(700);
        assertThat(bench.events(TenureEvent.LeaseInDanger.class))
                .containsExactly(new TenureEvent.LeaseInDanger(Bench.NAME, 10, Duration.ofMillis(300)));

        bench.renewed();
        bench.runTo(799);
        assertThat(bench.events(TenureEvent.LeaseInDanger.class)).hasSize(1);
        bench.runTo(801);

        assertThat(bench.events(TenureEvent.LeaseInDanger.class)).hasSize(2);
    }

    @Test
    void law06_a_regression_that_was_healed_is_told() {
        Bench bench = Bench.candidate(Setting.election(), new Standing(3, 500, Standing.Duel.OPEN));
        bench.turn();
        bench.on(new Signal.Granted(bench.acquire().call(), 501, OptionalLong.of(7)));
        bench.at(10).on(new Signal.Renewed(bench.renewal().call(), OptionalLong.of(8)));

        assertThat(bench.events(TenureEvent.TokenRegressed.class))
                .containsExactly(
                        new TenureEvent.TokenRegressed(Bench.NAME, 7, 500),
                        new TenureEvent.TokenRegressed(Bench.NAME, 8, 501));
    }

    @Test
    void law06_the_floor_of_an_attempt_is_the_highest_token_seen() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();
        assertThat(bench.acquire().floor()).isZero();
        bench.denied(stranger(40, 50));
        bench.runTo(60);
        assertThat(bench.acquire().floor()).isEqualTo(40);
        bench.denied(stranger(30, 50));
        bench.runTo(120);
        assertThat(bench.acquire().floor()).isEqualTo(40);
        bench.granted(90);
        bench.lost(null);
        bench.turn();

        assertThat(bench.acquire().floor()).isEqualTo(90);
        assertThat(bench.machine.standing().floor()).isEqualTo(90);
    }

    @Test
    void a_hold_lasts_for_max_hold_at_most_even_when_it_is_renewed_and_its_token_is_burnt() {
        Bench bench = Bench.lock(Setting.lock().maxHold(1_000));
        for (long renewal = 200; renewal < 1_000; renewal += 200) {
            bench.runTo(renewal);
            bench.renewed();
        }
        bench.runTo(999);
        assertThat(bench.all(Effect.Finish.class)).isEmpty();

        bench.runTo(1_000);

        assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.MAX_HOLD));
        assertThat(bench.release().mode()).isEqualTo(ReleaseMode.BURN);
        bench.released(true);
        assertThat(bench.retired().reason()).isEqualTo(EndReason.MAX_HOLD);
        assertThat(bench.events()).endsWith(new TenureEvent.LockReleased(Bench.NAME, 10, EndReason.MAX_HOLD));
    }

    @Test
    void a_grant_that_comes_after_max_hold_ends_at_once() {
        Bench bench = Bench.once(Setting.lock().maxHold(20));
        bench.turn();

        bench.at(25).granted(10);

        assertThat(bench.last(Effect.Publish.class)).as("its waiter is told").hasSize(1);
        assertThat(bench.last(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.MAX_HOLD));
        assertThat(bench.phase()).isEqualTo(Phase.DRAINING);
    }

    @Test
    void a_release_before_hold_at_least_keeps_the_name_taken_for_the_rest() {
        Bench bench = Bench.once(Setting.lock().holdAtLeast(300));
        bench.at(10).turn();
        bench.at(40).granted(10);

        bench.at(60).on(new Signal.End(EndReason.RELEASED, 10));

        assertThat(bench.release().holdFor().toMillis()).isCloseTo(250, within(0L));
    }

    @Test
    void a_release_after_hold_at_least_frees_the_name() {
        Bench bench = Bench.lock(Setting.lock().holdAtLeast(300));

        bench.at(300).on(new Signal.End(EndReason.RELEASED, 10));

        assertThat(bench.release().holdFor()).isZero();
    }
}
