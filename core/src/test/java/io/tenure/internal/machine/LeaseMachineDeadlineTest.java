package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.reading;
import static io.tenure.internal.machine.Bench.stranger;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.ReleaseMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From when a lease counts and when it is over: laws 8 and 9, danger, and how long a hold may last. */
class LeaseMachineDeadlineTest {
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

    // ---- losing

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
}
