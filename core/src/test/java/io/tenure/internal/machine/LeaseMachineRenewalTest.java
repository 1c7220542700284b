package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.reading;
import static io.tenure.internal.machine.Bench.stranger;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rhythm of renewals, and which answers to them count: law 10. */
class LeaseMachineRenewalTest {
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
}
