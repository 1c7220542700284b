package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static io.tenure.internal.machine.Scenes.RESIGNED;
import static io.tenure.internal.machine.Scenes.resign;
import static io.tenure.internal.machine.Scenes.working;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.ReleaseMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Voluntary ends: the claim is kept while the work drains, and the instance then holds off: laws 12 and 16. */
class LeaseMachineDrainingTest {
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
}
