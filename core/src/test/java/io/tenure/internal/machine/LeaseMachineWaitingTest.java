package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.heldBy;
import static io.tenure.internal.machine.Bench.stranger;
import static io.tenure.internal.machine.Scenes.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.internal.machine.Effect.Leaving;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a waiter looks again: laws 20, 21 and 22. */
class LeaseMachineWaitingTest {
    @Test
    void law20_a_waiter_looks_one_millisecond_after_the_expiry_it_was_told() {
        Bench bench = waiting(Setting.lock());

        bench.at(30).denied(stranger(5, 200));

        assertThat(bench.nextTimer()).isEqualTo(231);
    }

    @Test
    void law20_a_waiter_that_would_be_told_polls_every_ten_intervals_and_else_every_interval() {
        LeaseRecord ours = stranger(5, 30_000);
        LeaseRecord foreign = heldBy("a Go instance", "", 0, 0, 30_000);

        assertThat(pollAfter(ours, true, 7)).isBetween(900L, 1_000L);
        assertThat(pollAfter(ours, false, 7)).isBetween(90L, 100L);
        assertThat(pollAfter(foreign, true, 7)).isBetween(90L, 100L);
    }

    @Test
    void law20_a_waiter_that_could_not_enter_the_line_is_woken_by_no_release_and_polls_every_interval() {
        Bench bench = Bench.waiter(Setting.lock().ttl(30_000).renewEvery(9_000).seed(7), LeaseMachine.NEVER);
        bench.turn();

        bench.denied(stranger(5, 30_000), 0, true);

        assertThat(bench.nextTimer()).isBetween(90L, 100L);
    }

    @Test
    void law20_polls_are_jittered_downward_only_and_by_a_tenth_at_most() {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            long poll = pollAfter(stranger(5, 30_000), true, seed * 0x9E3779B97F4A7C15L);
            least = Math.min(least, poll);
            most = Math.max(most, poll);
        }
        assertThat(least).isBetween(900L, 905L);
        assertThat(most).isBetween(995L, 1_000L);
    }

    private static long pollAfter(LeaseRecord record, boolean pushed, long seed) {
        Bench bench = Bench.waiter(Setting.lock().ttl(30_000).renewEvery(9_000).seed(seed), LeaseMachine.NEVER);
        bench.turn();
        bench.denied(record, 1, pushed);
        return bench.nextTimer();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 3})
    void law20_no_wait_is_shorter_than_five_milliseconds(long remaining) {
        Bench bench = waiting(Setting.lock());
        bench.denied(stranger(5, remaining));
        assertThat(bench.nextTimer()).isEqualTo(5);

        Bench eager = waiting(Setting.lock().retryEvery(1));
        eager.denied(stranger(5, 30_000), 0, false);
        assertThat(eager.nextTimer()).isEqualTo(5);
    }

    /** As a replica of Redis 6 shows a lease that has run out, for ever. */
    @Test
    void law20_a_lease_that_goes_on_without_time_left_is_looked_at_as_often_as_any_other() {
        Bench bench = waiting(Setting.lock());
        bench.denied(stranger(5, 0), 0, false);
        assertThat(bench.nextTimer()).isEqualTo(5);
        long now = 0;
        for (int look = 0; look < 10; look++) {
            now = look(bench, stranger(5, 0));
            assertThat(bench.nextTimer() - now).isBetween(90L, 100L);
        }

        now = look(bench, stranger(6, 20));
        assertThat(bench.nextTimer() - now).isEqualTo(21);
        now = look(bench, stranger(6, 0));
        assertThat(bench.nextTimer() - now).isEqualTo(5);
    }

    /** The next look, and its denial. Answers when that was. */
    private static long look(Bench bench, LeaseRecord denial) {
        long at = bench.nextTimer() + 1;
        bench.runTo(at);
        bench.denied(denial, 0, false);
        return at;
    }

    @Test
    void law20_contenders_woken_by_one_expiry_spread_out_by_their_place_in_line() {
        long[] looks = new long[12];
        for (int ahead = 0; ahead < looks.length; ahead++) {
            Bench bench = waiting(Setting.lock());
            bench.denied(stranger(5, 200), ahead + 1, true);
            looks[ahead] = bench.nextTimer();
        }

        assertThat(looks).startsWith(201, 204, 207, 210);
        assertThat(looks).as("a few milliseconds at most").endsWith(225, 225, 225);
    }

    @Test
    void law20_a_wait_never_looks_later_than_its_budget() {
        Bench bench = Bench.waiter(Setting.lock(), 150);
        bench.turn();

        bench.denied(stranger(5, 30_000));

        assertThat(bench.nextTimer()).isEqualTo(150);
    }

    @Test
    void law20_a_push_makes_it_look_at_once_or_when_the_push_says() {
        Bench now = waiting(Setting.lock());
        now.denied(stranger(5, 30_000));
        now.at(40).woken(0);
        assertThat(now.last(Effect.SendAcquire.class)).hasSize(1);

        Bench later = waiting(Setting.lock());
        later.denied(stranger(5, 30_000));
        later.at(40).woken(50);
        assertThat(later.last()).isEmpty();
        assertThat(later.nextTimer()).isEqualTo(90);
    }

    @Test
    void law20_a_push_never_postpones_a_look() {
        Bench bench = waiting(Setting.lock());
        bench.denied(stranger(5, 60));

        bench.at(40).woken(50);

        assertThat(bench.nextTimer()).isEqualTo(61);
    }

    @Test
    void law20_a_push_during_an_attempt_is_remembered_and_the_next_attempt_follows_the_denial_at_once() {
        Bench bench = waiting(Setting.lock());
        bench.at(3).woken(0);
        assertThat(bench.last()).isEmpty();

        bench.at(10).denied(stranger(5, 30_000));

        assertThat(bench.last(Effect.SendAcquire.class)).hasSize(1);
        bench.at(20).denied(stranger(5, 30_000));
        assertThat(bench.last(Effect.SendAcquire.class))
                .as("remembered for one attempt only")
                .isEmpty();
    }

    @Test
    void law20_at_most_one_attempt_in_ten_milliseconds_comes_from_pushes() {
        Bench bench = waiting(Setting.lock());
        bench.denied(stranger(5, 30_000));
        int attempts = bench.all(Effect.SendAcquire.class).size();
        for (long millis = 20; millis < 60; millis++) {
            bench.runTo(millis);
            bench.woken(0);
            if (bench.phase() == Phase.ATTEMPTING) {
                bench.denied(stranger(5, 30_000));
            }
        }

        assertThat(bench.all(Effect.SendAcquire.class).size() - attempts).isEqualTo(4);
    }

    @Test
    void law20_a_push_is_no_reason_to_ask_out_of_turn() {
        Bench bench = Bench.waiter(Setting.lock(), LeaseMachine.NEVER);

        bench.woken(0);

        assertThat(bench.last()).isEmpty();
        assertThat(bench.phase()).isEqualTo(Phase.WAITING);
        assertThat(bench.nextTimer()).isEqualTo(LeaseMachine.NEVER);
    }

    @Test
    void law21_a_waiter_enters_the_line_for_as_long_as_it_may_go_without_a_look() {
        Bench bench = waiting(Setting.lock());

        assertThat(bench.acquire().lineFor()).isEqualTo(Duration.ofMillis(1_000));
    }

    @Test
    void law22_whoever_is_served_or_gives_up_leaves_the_local_line() {
        Bench served = waiting(Setting.lock());
        served.granted(10);
        assertThat(served.all(Effect.LeaveLine.class)).containsExactly(new Effect.LeaveLine(Leaving.SERVED));

        Bench queued = Bench.waiter(Setting.lock(), 100);
        queued.runTo(100);
        assertThat(queued.last())
                .containsExactly(
                        new Effect.LeaveLine(Leaving.GIVING_UP),
                        new Effect.Retire(EndReason.TAKEN, null, Optional.empty()));
    }
}
