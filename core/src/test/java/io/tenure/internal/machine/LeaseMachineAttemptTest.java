package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.heldBy;
import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static io.tenure.internal.machine.Scenes.REFUSED;
import static io.tenure.internal.machine.Scenes.standing;
import static io.tenure.internal.machine.Scenes.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An attempt, how long it may take, and what its outcome tells: law 10, and who leads. */
class LeaseMachineAttemptTest {
    // ---- one attempt

    @Test
    void a_single_attempt_that_is_denied_ends_at_once_with_who_has_it() {
        Bench bench = Bench.once(Setting.lock());
        bench.turn();
        assertThat(bench.acquire().lineFor()).as("does not enter the line").isZero();
        LeaseRecord holder = stranger(5, 100);

        bench.denied(holder);

        assertThat(bench.retired()).isEqualTo(new Effect.Retire(EndReason.TAKEN, null, Optional.of(holder)));
        assertThat(bench.all(Effect.LeaveLine.class)).as("it was in none").isEmpty();
    }

    @Test
    void a_single_attempt_that_fails_ends_with_the_failure_and_gives_back_what_it_may_have_been_granted() {
        Bench passing = Bench.once(Setting.lock());
        passing.turn();
        StoreException cause = passing();
        passing.failed(1, cause);
        assertThat(passing.last())
                .containsExactly(new Effect.Disown(1), new Effect.Retire(EndReason.DENIED, cause, Optional.empty()));

        Bench refused = Bench.once(Setting.lock());
        refused.turn();
        refused.failed(1, REFUSED);
        assertThat(refused.last()).containsExactly(new Effect.Retire(EndReason.DENIED, REFUSED, Optional.empty()));
    }

    // ---- bounds

    @Test
    void law10_an_attempt_is_bounded_so_that_a_renewal_still_fits_and_by_the_budget() {
        assertThat(boundOf(Bench.candidate(Setting.election())))
                .as("ttl - renewEvery")
                .isEqualTo(700);
        assertThat(boundOf(Bench.candidate(
                        Setting.election().ttl(9_000).renewEvery(2_000).retryEvery(4_000))))
                .as("retryEvery")
                .isEqualTo(4_000);
        assertThat(boundOf(Bench.candidate(Setting.election().ttl(9_000).renewEvery(2_000))))
                .isEqualTo(1_000);
        assertThat(boundOf(Bench.waiter(Setting.lock(), 250))).as("budget").isEqualTo(250);
    }

    private static long boundOf(Bench bench) {
        bench.turn();
        return bench.nextTimer();
    }

    @Test
    void law10_an_attempt_without_an_answer_is_abandoned_and_repeated_as_the_same_attempt() {
        Bench bench = standing();

        bench.runTo(700);
        assertThat(bench.last(Effect.Abandon.class)).containsExactly(new Effect.Abandon(1));
        assertThat(bench.events(TenureEvent.AttemptFailed.class)).hasSize(1);
        assertThat(bench.last(Effect.Answered.class))
                .as("whoever waits for the first answer goes on")
                .hasSize(1);
        bench.runTo(800);

        assertThat(bench.acquire().attempt()).isEqualTo(1);
        assertThat(bench.acquire().call()).isEqualTo(2);
    }

    @Test
    void law10_a_second_attempt_without_an_answer_is_awaited_until_the_first_is_over() {
        Bench bench = standing();
        bench.runTo(10_000);
        assertThat(bench.all(Effect.SendAcquire.class)).hasSize(2);
        assertThat(bench.all(Effect.Abandon.class)).hasSize(1);
        assertThat(bench.events(TenureEvent.AttemptFailed.class)).hasSize(2);

        bench.on(new Signal.CallOver(1));
        bench.runTo(10_000);
        assertThat(bench.all(Effect.Abandon.class)).hasSize(2);
        bench.runTo(11_000);

        assertThat(bench.all(Effect.SendAcquire.class)).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void an_overdue_attempt_that_is_answered_counts() {
        Bench bench = standing();
        bench.runTo(1_490);
        assertThat(bench.all(Effect.SendAcquire.class)).hasSize(2);

        bench.granted(10);

        assertThat(bench.all(Effect.Begin.class)).hasSize(1);
    }

    // ---- who leads

    @Test
    void following_is_told_at_the_first_lost_attempt_and_every_other_leader_after_that() {
        Bench bench = standing();
        LeaseRecord first = stranger(5, 300);
        LeaseRecord renewed = stranger(5, 900);
        LeaseRecord next = stranger(6, 900);
        LeaseRecord other = heldBy("somebody", "x", 1, 6, 900);
        for (LeaseRecord seen : new LeaseRecord[] {first, renewed, next, other}) {
            bench.denied(seen);
            bench.runTo(bench.nextTimer() + 1);
        }
        assertThat(bench.events())
                .containsExactly(
                        new TenureEvent.Following(Bench.NAME, first),
                        new TenureEvent.LeaderChanged(Bench.NAME, next),
                        new TenureEvent.LeaderChanged(Bench.NAME, other));
        assertThat(bench.all(Effect.Saw.class))
                .extracting(Effect.Saw::record)
                .containsExactly(first, renewed, next, other);

        bench.granted(10);
        bench.lost(null);
        bench.turn();
        bench.denied(other);

        assertThat(bench.events())
                .as("after each change of role")
                .endsWith(new TenureEvent.Following(Bench.NAME, other));
    }

    @Test
    void a_lock_that_waits_follows_nobody() {
        Bench bench = waiting(Setting.lock());

        bench.denied(stranger(5, 300));

        assertThat(bench.events()).isEmpty();
    }

    @Test
    void a_lock_tells_how_long_it_was_waited_for() {
        Bench bench = waiting(Setting.lock());
        bench.denied(stranger(5, 30));
        bench.runTo(31);

        bench.at(35).granted(10);

        assertThat(bench.events()).containsExactly(new TenureEvent.LockAcquired(Bench.NAME, 10, Duration.ofMillis(35)));
    }
}
