package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static io.tenure.internal.machine.Scenes.REFUSED;
import static io.tenure.internal.machine.Scenes.standing;
import static io.tenure.internal.machine.Scenes.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How contenders bear a store that fails or refuses: laws 23 and 27. */
class LeaseMachineTroubleTest {
    // ---- back-off

    @Test
    void law23_store_errors_back_off_doubling_to_the_ttl_jittered_downward() {
        Bench bench = standing();
        long[] most = {100, 200, 400, 800, 900, 900, 900};
        for (long pause : most) {
            bench.failed(bench.acquire().call(), passing());
            assertThat(bench.nextTimer() - bench.now()).isBetween(pause * 4 / 5 - 1, pause);
            bench.runTo(bench.nextTimer() + 1);
        }
        assertThat(bench.events(TenureEvent.AttemptFailed.class)).hasSize(most.length);
    }

    @Test
    void law23_a_long_ttl_does_not_make_a_waiter_pause_longer_than_five_seconds() {
        Bench lock = waiting(Setting.lock().ttl(600_000).renewEvery(0));
        assertThat(longestPauseOf(lock)).isBetween(4_000L, 5_000L);

        Bench slow = waiting(Setting.lock().ttl(600_000).renewEvery(0).retryEvery(60_000));
        assertThat(longestPauseOf(slow))
                .as("but not sooner than it would look anyway")
                .isBetween(48_000L, 60_000L);
    }

    private static long longestPauseOf(Bench bench) {
        long longest = 0;
        for (int i = 0; i < 20; i++) {
            bench.failed(bench.acquire().call(), passing());
            longest = Math.max(longest, bench.nextTimer() - bench.now());
            bench.runTo(bench.nextTimer() + 1);
        }
        return longest;
    }

    @Test
    void law23_work_that_fails_still_lets_others_go_first_for_up_to_a_ttl() {
        Bench bench = Bench.leader(Setting.election()
                .ttl(60_000)
                .renewEvery(1_000)
                .retryEvery(20_000)
                .work());
        for (int i = 0; i < 2; i++) {
            bench.workEnded(new IllegalStateException());
            bench.released(true);
            bench.runTo(bench.nextTimer() + 1);
            bench.turn();
            bench.granted(11 + i);
        }
        bench.workEnded(new IllegalStateException());
        bench.released(true);

        assertThat(bench.nextTimer() - bench.now()).isBetween(47_999L, 60_000L);
    }

    @Test
    void law23_a_waiter_that_is_told_to_look_during_its_pause_asks_once_and_pauses_on() {
        Bench bench = standing();
        failFourTimes(bench);
        bench.failed(bench.acquire().call(), passing());
        int before = bench.all(Effect.SendAcquire.class).size();

        bench.woken(0);

        assertThat(bench.all(Effect.SendAcquire.class)).hasSize(before + 1);
        bench.failed(bench.acquire().call(), passing());
        assertThat(bench.nextTimer() - bench.now()).isBetween(720L, 900L);
    }

    @Test
    void law23_a_waiter_that_was_told_to_look_while_its_attempt_was_failing_asks_again_at_once() {
        Bench bench = standing();
        failFourTimes(bench);
        bench.at(bench.now() + 20).woken(0);

        bench.failed(bench.acquire().call(), passing());

        assertThat(bench.nextTimer()).isEqualTo(bench.now());
        bench.runTo(bench.now());
        bench.failed(bench.acquire().call(), passing());
        assertThat(bench.nextTimer() - bench.now()).as("once").isBetween(720L, 900L);
    }

    @Test
    void law23_a_denial_resets_the_back_off() {
        Bench bench = standing();
        failFourTimes(bench);
        bench.denied(stranger(5, 20));
        bench.runTo(bench.nextTimer());
        bench.failed(bench.acquire().call(), passing());

        assertThat(bench.nextTimer() - bench.now()).isLessThanOrEqualTo(100);
    }

    @Test
    void law23_a_grant_resets_the_back_off() {
        Bench bench = standing();
        failFourTimes(bench);
        bench.granted(10);
        bench.lost(null);
        bench.turn();
        bench.failed(bench.acquire().call(), passing());

        assertThat(bench.nextTimer() - bench.now()).isLessThanOrEqualTo(100);
    }

    @Test
    void law23_losing_the_race_never_backs_off() {
        Bench bench = standing();
        for (int i = 0; i < 20; i++) {
            bench.denied(stranger(5 + i, 30_000), 1, false);
            assertThat(bench.nextTimer() - bench.now()).isLessThanOrEqualTo(100);
            bench.runTo(bench.nextTimer() + 1);
        }
    }

    private static void failFourTimes(Bench bench) {
        for (int i = 0; i < 4; i++) {
            bench.failed(bench.acquire().call(), passing());
            bench.runTo(bench.nextTimer() + 1);
        }
    }

    // ---- refusals

    @Test
    void law27_a_refusal_at_the_first_attempt_ends_a_candidacy_and_a_wait() {
        Bench election = standing();
        election.failed(1, REFUSED);
        assertThat(election.retired()).isEqualTo(new Effect.Retire(EndReason.DENIED, REFUSED, Optional.empty()));
        assertThat(election.events())
                .as("told too, since nobody may be waiting for it any more")
                .containsExactly(new TenureEvent.AttemptFailed(Bench.NAME, REFUSED));

        Bench lock = waiting(Setting.lock());
        lock.denied(stranger(5, 10));
        lock.runTo(11);
        lock.failed(lock.acquire().call(), REFUSED);
        assertThat(lock.retired().failure()).isSameAs(REFUSED);
    }

    @Test
    void law27_a_refusal_that_appears_later_is_told_once_per_change_and_heals() {
        Bench bench = standing();
        bench.denied(stranger(5, 10));
        bench.runTo(11);
        for (StoreException cause : new StoreException[] {
            REFUSED,
            REFUSED,
            StoreException.permanent("READONLY: 'n' is on a replica"),
            REFUSED,
            REFUSED,
            passing(),
            REFUSED
        }) {
            bench.failed(bench.acquire().call(), cause);
            bench.runTo(bench.nextTimer() + 1);
        }
        assertThat(bench.events(TenureEvent.AttemptFailed.class)).hasSize(5);

        bench.granted(10);

        assertThat(bench.all(Effect.Begin.class)).hasSize(1);
    }

    @Test
    void law27_a_refusal_that_comes_back_after_it_had_healed_is_told_again() {
        Bench bench = standing();
        bench.granted(10);
        bench.lost(null);
        bench.turn();
        bench.failed(bench.acquire().call(), REFUSED);
        bench.runTo(bench.nextTimer() + 1);
        bench.granted(12);
        bench.lost(null);
        bench.turn();
        bench.failed(bench.acquire().call(), REFUSED);

        assertThat(bench.events(TenureEvent.AttemptFailed.class)).hasSize(2);
    }
}
