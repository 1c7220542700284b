package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.stranger;
import static io.tenure.internal.machine.Scenes.working;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a lease is lost, and what follows a loss: laws 5, 12 and 16. */
class LeaseMachineLossTest {
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
    void closing_after_the_deadline_is_a_loss_that_closes() {
        Bench bench = working();

        bench.at(900).end(EndReason.CLOSED);
        assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.EXPIRED));
        bench.workEnded(null);

        assertThat(bench.events()).endsWith(new TenureEvent.SteppedDown(Bench.NAME, 10, EndReason.EXPIRED));
        assertThat(bench.retired().reason()).isEqualTo(EndReason.CLOSED);
    }

    // ---- holding off

    @Test
    void law16_after_a_loss_it_does_not() {
        Bench bench = Bench.leader(Setting.election());

        bench.at(10).lost(null);

        assertThat(bench.last(Effect.JoinLine.class)).hasSize(1);
    }
}
