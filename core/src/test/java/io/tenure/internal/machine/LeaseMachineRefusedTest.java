package io.tenure.internal.machine;

import static io.tenure.internal.machine.Scenes.resign;
import static io.tenure.internal.machine.Scenes.working;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.StaleTokenException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.Takeover;
import org.junit.jupiter.api.Test;

/** Terms whose own fence stands below their token, since counter and mark were lost: laws 4, 6, 13 and 25. */
class LeaseMachineRefusedTest {
    private static StaleTokenException refused(long token, long mark) {
        return new StaleTokenException(Bench.NAME, token, mark);
    }

    @Test
    void law25_work_that_its_own_fence_refused_below_its_token_has_lost_its_lease_and_stands_again_at_once() {
        for (long mark : new long[] {0, 1, 9}) {
            Bench bench = working();

            bench.at(50).workEnded(refused(10, mark));

            assertThat(bench.events())
                    .endsWith(
                            new TenureEvent.LeaseLost(Bench.NAME, 10, EndReason.FORCED),
                            new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.FORCED));
            assertThat(bench.events(TenureEvent.WorkFailed.class)).isEmpty();
            assertThat(bench.last(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.FORCED));
            assertThat(bench.all(Effect.SendRelease.class)).isEmpty();
            assertThat(bench.last(Effect.JoinLine.class)).as("no hold-off").hasSize(1);
        }
    }

    @Test
    void law04_what_a_term_that_lost_counter_and_mark_left_behind_is_taken_over_at_once_and_from_its_token_on() {
        Bench bench = working();
        long attempt = bench.acquire().attempt();
        bench.at(50).workEnded(refused(10, 0));

        bench.turn();

        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.SAME_INCARNATION);
        assertThat(bench.acquire().attempt()).isEqualTo(attempt + 1);
        assertThat(bench.acquire().floor()).isEqualTo(10);
        bench.granted(11);
        assertThat(bench.events()).endsWith(new TenureEvent.Elected(Bench.NAME, 11));
    }

    @Test
    void law04_what_it_left_behind_is_not_taken_over_while_its_renewal_is_unanswered() {
        Bench bench = Bench.leader(Setting.election().work());
        int renewal = bench.renewal().call();
        bench.at(50).workEnded(refused(10, 0));
        assertThat(bench.last(Effect.Abandon.class)).containsExactly(new Effect.Abandon(renewal));

        bench.turn();
        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.NONE);
        bench.denied(Bench.heldBy(Bench.HOLDER, Bench.INCARNATION, 1, 10, 850), 0, false);
        bench.on(new Signal.CallOver(renewal));
        bench.runTo(160);

        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.SAME_INCARNATION);
    }

    @Test
    void law25_draining_work_that_its_own_fence_refuses_below_its_token_has_not_failed_and_the_first_reason_stays() {
        Bench resigned = working();
        resign(resigned);
        resigned.workEnded(refused(10, 0));
        resigned.released(true);
        assertThat(resigned.events()).endsWith(Scenes.RESIGNED);
        assertThat(resigned.events(TenureEvent.WorkFailed.class)).isEmpty();

        Bench lost = Bench.leader(Setting.election().work());
        lost.lost(null);
        lost.workEnded(refused(10, 0));
        assertThat(lost.events())
                .endsWith(
                        new TenureEvent.LeaseLost(Bench.NAME, 10, EndReason.FORCED),
                        new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.FORCED));
        assertThat(lost.events(TenureEvent.WorkFailed.class)).isEmpty();
    }

    @Test
    void law13_a_term_whose_work_failed_is_not_told_as_lost_too_when_its_release_finds_nothing() {
        Bench bench = working();
        bench.at(50).workEnded(new IllegalStateException("no disk"));

        bench.released(false);

        assertThat(bench.events(TenureEvent.LeaseLost.class)).isEmpty();
        assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.WORK_FAILED));
    }

    @Test
    void law12_a_term_that_was_given_up_for_another_reason_is_still_told_when_its_release_finds_nothing() {
        Bench bench = working();
        resign(bench);
        bench.workEnded(null);

        bench.released(false);

        assertThat(bench.events())
                .endsWith(new TenureEvent.LeaseLost(Bench.NAME, 10, EndReason.FORCED), Scenes.RESIGNED);
    }

    @Test
    void law13_a_fence_that_stands_below_term_after_term_is_one_that_nobody_claims_and_work_under_it_has_failed() {
        Bench bench = working();
        bench.at(50).workEnded(refused(10, 0));
        long before = 50;
        for (int failures = 1; failures <= 4; failures++) {
            long token = 10 + failures;
            bench.turn();
            bench.granted(token);
            bench.renewed();
            bench.at(before + 10).workEnded(refused(token, 0));
            bench.released(true);
            assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, token, EndReason.WORK_FAILED));
            long most = Math.min(900, 100L << (failures - 1));
            assertThat(bench.nextTimer() - bench.now()).as("pause %s", failures).isBetween(most * 4 / 5 - 1, most);
            before = bench.nextTimer() + 1;
            bench.runTo(before);
        }
        assertThat(bench.events(TenureEvent.WorkFailed.class)).hasSize(4);
    }

    @Test
    void law25_data_that_is_lost_again_in_a_term_of_more_than_a_ttl_is_a_loss_again() {
        Bench bench = working();
        bench.at(50).workEnded(refused(10, 0));
        bench.turn();
        bench.granted(11);
        for (int renewals = 0; renewals < 5; renewals++) {
            bench.renewed();
            bench.runTo(50 + 200 * (renewals + 1));
        }

        bench.workEnded(refused(11, 0));

        assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 11, EndReason.FORCED));
    }

    @Test
    void law25_a_term_that_ended_otherwise_in_between_makes_the_next_loss_of_data_a_loss_again() {
        Bench bench = working();
        bench.at(50).workEnded(refused(10, 0));
        bench.turn();
        bench.granted(11);
        bench.lost(null);
        bench.workEnded(null);
        bench.turn();
        bench.granted(12);
        bench.renewed();

        bench.at(60).workEnded(refused(12, 0));

        assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 12, EndReason.FORCED));
    }
}
