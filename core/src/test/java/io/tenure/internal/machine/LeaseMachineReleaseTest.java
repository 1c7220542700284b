package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.ReleaseMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Releases, how long they may take, and what they leave behind: laws 10 and 18. */
class LeaseMachineReleaseTest {
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

    // ---- losing

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

    // ---- danger, regressions, and how long a hold lasts

    @Test
    void a_release_before_hold_at_least_keeps_the_name_taken_for_the_rest_from_the_answer_on() {
        Bench bench = Bench.once(Setting.lock().holdAtLeast(300));
        bench.at(10).turn();
        bench.at(40).granted(10);

        bench.at(60).on(new Signal.End(EndReason.RELEASED, 10));

        // It was granted between 10 and 40: counted from 10, the name could be free 30 ms too early.
        assertThat(bench.release().holdFor()).isEqualTo(Duration.ofMillis(280));
    }

    @Test
    void the_rest_of_hold_at_least_is_rounded_up_to_what_a_store_can_keep() {
        Bench bench = Bench.lock(Setting.lock().holdAtLeast(300));

        bench.at(99).plusNanos(1).on(new Signal.End(EndReason.RELEASED, 10));

        assertThat(bench.release().holdFor()).isEqualTo(Duration.ofMillis(201));
    }

    @Test
    void a_release_after_hold_at_least_frees_the_name() {
        Bench bench = Bench.lock(Setting.lock().holdAtLeast(300));

        bench.at(300).on(new Signal.End(EndReason.RELEASED, 10));

        assertThat(bench.release().holdFor()).isZero();
    }
}
