package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static io.tenure.internal.machine.Scenes.REFUSED;
import static io.tenure.internal.machine.Scenes.resign;
import static io.tenure.internal.machine.Scenes.standing;
import static io.tenure.internal.machine.Scenes.waiting;
import static io.tenure.internal.machine.Scenes.working;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import org.junit.jupiter.api.Test;

/** The very moments at which a rule changes sides, and what is told there and nowhere else. */
class LeaseMachineExactTimesTest {
    @Test
    void law8_a_renewal_that_is_answered_at_the_deadline_of_a_draining_claim_is_too_late() {
        Bench bench = working();
        bench.at(50);
        resign(bench);
        bench.runTo(200);

        bench.at(900).renewed();

        assertThat(bench.events()).endsWith(new TenureEvent.LeaseLost(Bench.NAME, 10, EndReason.EXPIRED));
    }

    @Test
    void law10_a_renewal_that_is_abandoned_near_the_deadline_is_followed_at_the_next_point_of_the_grid() {
        Bench bench = Bench.leader(Setting.election());
        for (long due : new long[] {0, 200, 400}) {
            bench.runTo(due);
            bench.failed(bench.renewal().call(), passing());
        }
        bench.runTo(600);
        int late = bench.renewal().call();

        bench.runTo(750);
        assertThat(bench.last()).as("half of what was left").contains(new Effect.Abandon(late));
        assertThat(bench.nextTimer()).isEqualTo(800);
        bench.runTo(799);
        assertThat(bench.renewal().call()).isEqualTo(late);
        bench.runTo(800);

        assertThat(bench.renewal().call()).isGreaterThan(late);
    }

    @Test
    void law10_the_next_point_of_the_grid_is_used_while_it_leaves_a_tenth_of_an_interval() {
        assertThat(retryOfAFailureAt610(820)).as("800 of 820").isEqualTo(800);
        assertThat(retryOfAFailureAt610(810))
                .as("half of the 200 that are left")
                .isEqualTo(710);
    }

    /** When a term of {@code ttl}, all of whose renewals fail, tries again after the one that was sent at 600. */
    private static long retryOfAFailureAt610(long ttl) {
        Bench bench = Bench.leader(Setting.election().ttl(ttl));
        for (long due : new long[] {0, 200, 400, 600}) {
            bench.runTo(due);
            bench.at(due + 10).failed(bench.renewal().call(), passing());
        }
        return bench.nextTimer();
    }

    @Test
    void law20_a_push_with_a_delay_that_comes_during_an_attempt_is_remembered_with_its_delay() {
        Bench bench = waiting(Setting.lock());
        bench.at(3).woken(50);

        bench.at(10).denied(stranger(5, 30_000));

        assertThat(bench.last(Effect.SendAcquire.class)).isEmpty();
        assertThat(bench.nextTimer()).isEqualTo(53);
    }

    @Test
    void law24_an_attempt_that_had_all_of_its_bound_is_a_failure_although_a_denial_came_before() {
        assertThat(endOfAttemptAt11(711).failure()).as("700 of 700").isNotNull();
        assertThat(endOfAttemptAt11(710).failure()).as("699 of 700").isNull();
    }

    /** A wait with {@code budget} whose first attempt is denied at once and whose second, sent at 11, has no answer. */
    private static Effect.Retire endOfAttemptAt11(long budget) {
        Bench bench = Bench.waiter(Setting.lock(), budget);
        bench.turn();
        bench.denied(stranger(5, 10));
        bench.runTo(budget);
        return bench.retired();
    }

    @Test
    void law24_an_attempt_that_had_less_of_the_budget_than_the_wait_before_it_says_nothing_about_the_store() {
        assertThat(endOfTurnAt(51).failure()).as("49 of 100").isNull();
        assertThat(endOfTurnAt(50).failure()).as("50 of 100").isNotNull();
        assertThat(endOfTurnAt(20).failure()).as("80 of 100").isNotNull();
    }

    /** A wait of 100, behind others, whose turn comes at {@code turn} and whose only attempt has no answer. */
    private static Effect.Retire endOfTurnAt(long turn) {
        Bench bench = Bench.waiter(Setting.lock(), 100);
        bench.tick();
        bench.at(turn).turn();
        bench.runTo(100);
        return bench.retired();
    }

    @Test
    void law27_a_refusal_that_a_wait_throws_is_not_told_as_an_event_too() {
        Bench bench = waiting(Setting.lock());

        bench.failed(1, REFUSED);

        assertThat(bench.retired().failure()).isSameAs(REFUSED);
        assertThat(bench.events()).isEmpty();
    }

    @Test
    void law27_a_failure_that_a_wait_bears_is_told() {
        Bench bench = waiting(Setting.lock());

        bench.failed(1, passing());

        assertThat(bench.events(TenureEvent.AttemptFailed.class)).hasSize(1);
    }

    @Test
    void a_silence_is_told_with_how_long_it_lasted() {
        Bench bench = standing();

        bench.runTo(700);

        assertThat(bench.events(TenureEvent.AttemptFailed.class))
                .singleElement()
                .satisfies(event -> assertThat(event.cause()).hasMessageContaining("within 700 ms"));
    }

    @Test
    void a_denial_is_the_first_answer_that_a_campaign_waits_for() {
        Bench bench = standing();

        bench.denied(stranger(5, 30_000));

        assertThat(bench.last()).contains(new Effect.Answered());
    }
}
