package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static io.tenure.internal.machine.Scenes.standing;
import static io.tenure.internal.machine.Scenes.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.StoreException;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.internal.machine.Effect.Leaving;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Waits that end without a lease: they keep to their budget and leave nothing behind: laws 17 and 24. */
class LeaseMachineGivingUpTest {
    // ---- leaving nothing behind

    @Test
    void law17_ending_during_an_attempt_gives_back_what_may_be_granted() {
        for (EndReason reason : new EndReason[] {EndReason.CLOSED, EndReason.INTERRUPTED}) {
            Bench bench = waiting(Setting.lock());

            bench.end(reason);

            assertThat(bench.last())
                    .containsExactly(
                            new Effect.Abandon(1),
                            new Effect.Disown(1),
                            new Effect.LeaveLine(Leaving.GIVING_UP),
                            new Effect.Retire(reason, null, Optional.empty()));
            assertThat(bench.on(new Signal.Granted(1, 10, java.util.OptionalLong.empty())))
                    .isEmpty();
        }
    }

    @Test
    void law17_ending_after_a_denial_has_nothing_to_give_back() {
        Bench bench = waiting(Setting.lock());
        bench.denied(stranger(5, 500));

        bench.end(EndReason.INTERRUPTED);

        assertThat(bench.all(Effect.Disown.class)).isEmpty();
    }

    @Test
    void law17_ending_after_an_attempt_that_failed_gives_it_back() {
        Bench bench = waiting(Setting.lock());
        bench.failed(1, passing());

        bench.end(EndReason.INTERRUPTED);

        assertThat(bench.all(Effect.Disown.class)).containsExactly(new Effect.Disown(1));
        assertThat(bench.retired().failure()).as("the user ended it").isNull();
    }

    @Test
    void law17_running_out_of_time_during_an_attempt_gives_back_what_may_be_granted() {
        Bench bench = Bench.waiter(Setting.lock(), 300);
        bench.turn();

        bench.runTo(300);

        assertThat(bench.last(Effect.Abandon.class)).hasSize(1);
        assertThat(bench.last(Effect.Disown.class)).containsExactly(new Effect.Disown(1));
        assertThat(bench.last(Effect.Retire.class)).hasSize(1);
    }

    @Test
    void law17_an_end_that_comes_after_the_grant_releases() {
        Bench bench = waiting(Setting.lock());
        bench.granted(10);

        bench.end(EndReason.INTERRUPTED);

        assertThat(bench.last(Effect.SendRelease.class)).hasSize(1);
    }

    @Test
    void a_resignation_that_comes_too_late_does_not_end_the_candidacy() {
        Bench bench = standing();
        bench.on(new Signal.End(EndReason.RESIGNED, 3));
        assertThat(bench.phase()).isEqualTo(Phase.ATTEMPTING);
        bench.denied(stranger(5, 100));
        bench.on(new Signal.End(EndReason.RESIGNED, 3));

        assertThat(bench.phase()).isEqualTo(Phase.WAITING);
    }

    // ---- one budget

    @Test
    void law24_a_wait_ends_at_its_budget_and_not_before() {
        Bench bench = Bench.waiter(Setting.lock(), 5_000);
        bench.turn();
        while (bench.now() < 4_999) {
            if (bench.phase() == Phase.ATTEMPTING) {
                bench.denied(stranger(5, 400));
            }
            bench.runTo(Math.min(4_999, Math.max(bench.now() + 1, bench.nextTimer() + 1)));
        }
        bench.tick(); // a timer that goes off too early
        assertThat(bench.all(Effect.Retire.class)).isEmpty();

        bench.runTo(5_000);

        assertThat(bench.retired().reason()).isEqualTo(EndReason.TAKEN);
        assertThat(bench.retired().failure()).isNull();
    }

    @Test
    void law24_waiting_behind_local_waiters_counts_too() {
        Bench bench = Bench.waiter(Setting.lock(), 100);
        bench.runTo(99);
        assertThat(bench.phase()).isEqualTo(Phase.WAITING);

        bench.at(100).turn();

        assertThat(bench.all(Effect.SendAcquire.class)).isEmpty();
        assertThat(bench.phase()).isEqualTo(Phase.OVER);
    }

    @Test
    void law24_a_push_after_the_budget_is_no_reason_to_ask_again() {
        Bench bench = Bench.waiter(Setting.lock(), 100);
        bench.turn();
        bench.denied(stranger(5, 30_000));

        bench.at(101).woken(0);

        assertThat(bench.all(Effect.SendAcquire.class)).hasSize(1);
        assertThat(bench.phase()).isEqualTo(Phase.OVER);
    }

    @Test
    void law24_transient_errors_are_retried_inside_the_budget_and_thrown_only_if_the_last_attempt_failed() {
        Bench failing = Bench.waiter(Setting.lock(), 350);
        failing.turn();
        StoreException last = passing();
        while (failing.phase() != Phase.OVER) {
            if (failing.phase() == Phase.ATTEMPTING) {
                failing.failed(failing.acquire().call(), last);
            }
            failing.runTo(Math.min(350, failing.nextTimer() + 1));
        }
        assertThat(failing.all(Effect.SendAcquire.class)).hasSizeGreaterThanOrEqualTo(2);
        assertThat(failing.retired().failure()).isSameAs(last);
        assertThat(failing.now()).isEqualTo(350);

        Bench healed = Bench.waiter(Setting.lock(), 350);
        healed.turn();
        healed.failed(1, passing());
        healed.runTo(100);
        healed.denied(stranger(5, 30_000));
        healed.runTo(350);
        assertThat(healed.retired().failure()).isNull();
    }

    @Test
    void law24_an_attempt_that_the_budget_cut_short_is_a_failure_unless_the_last_answer_was_a_denial() {
        Bench never = Bench.waiter(Setting.lock(), 300);
        never.turn();
        never.runTo(300);
        assertThat(never.retired().failure()).isInstanceOf(StoreException.class);

        Bench denied = Bench.waiter(Setting.lock(), 300);
        denied.turn();
        denied.denied(stranger(5, 250));
        denied.runTo(251);
        assertThat(denied.phase()).isEqualTo(Phase.ATTEMPTING);
        denied.runTo(300);
        assertThat(denied.retired().failure()).isNull();
        assertThat(denied.retired().holder()).isPresent();
    }

    @Test
    void law24_an_attempt_with_little_time_left_is_contention_only_behind_others_of_the_process() {
        Bench behind = Bench.waiter(Setting.lock(), 300);
        behind.tick();
        behind.at(200).turn();
        behind.runTo(300);
        assertThat(behind.retired().failure()).isNull();

        Bench slow = Bench.waiter(Setting.lock(), 300);
        slow.at(200).turn();
        slow.runTo(300);
        assertThat(slow.retired().failure()).isInstanceOf(StoreException.class);
    }
}
