package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.heldBy;
import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.internal.machine.Effect.Leaving;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the first attempt to the grant, or to giving up: laws 4, 10, 17, 20, 22, 23, 24 and 27. */
class LeaseMachineContendingTest {
    private static final StoreException REFUSED = StoreException.permanent("NOPERM: allow SET for 'n'");

    private static Bench waiting(Setting setting) {
        Bench bench = Bench.waiter(setting, LeaseMachine.NEVER);
        bench.turn();
        return bench;
    }

    private static Bench standing() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();
        return bench;
    }

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

    // ---- taking over

    @Test
    void law04_an_elector_asks_to_replace_its_own_leftovers_and_a_lock_never_does() {
        assertThat(standing().acquire().takeover()).isEqualTo(Takeover.SAME_INCARNATION);
        assertThat(waiting(Setting.lock()).acquire().takeover()).isEqualTo(Takeover.NONE);
    }

    @Test
    void law04_no_takeover_is_asked_for_while_an_attempt_is_unanswered() {
        Bench bench = standing();
        bench.failed(1, passing());
        bench.runTo(100);
        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.NONE);

        bench.denied(stranger(5, 300));
        bench.runTo(401);

        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.SAME_INCARNATION);
    }

    @Test
    void law04_no_takeover_is_asked_for_while_an_abandoned_call_is_outstanding() {
        Bench bench = standing();
        bench.runTo(800);
        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.NONE);
        bench.denied(stranger(5, 300));
        bench.runTo(1_101);
        assertThat(bench.acquire().takeover()).as("call 1 is not over").isEqualTo(Takeover.NONE);
        bench.denied(stranger(5, 300));
        bench.on(new Signal.CallOver(1));
        bench.runTo(1_402);

        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.SAME_INCARNATION);
    }

    @Test
    void law04_calls_that_were_abandoned_at_an_end_are_outstanding_too() {
        Bench bench = Bench.leader(Setting.election());
        bench.runTo(200); // call 2, a renewal, is abandoned and hangs; call 3 is under way
        bench.runTo(900); // expired: call 3 is abandoned too
        bench.on(new Signal.CallOver(3));
        bench.turn();
        assertThat(bench.acquire().takeover()).as("call 2 is not over").isEqualTo(Takeover.NONE);
        bench.denied(stranger(11, 300));
        bench.on(new Signal.CallOver(2));
        bench.runTo(1_201);

        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.SAME_INCARNATION);
    }

    @Test
    void law04_another_incarnation_of_the_own_id_is_taken_over_once_in_a_life() {
        Bench bench = standing();
        LeaseRecord leftover = heldBy(Bench.HOLDER, Bench.OTHER, 4, 9, 800);

        bench.denied(leftover);
        assertThat(bench.acquire().takeover()).as("at once").isEqualTo(Takeover.ANY_INCARNATION);
        assertThat(bench.acquire().call()).isEqualTo(2);
        assertThat(bench.events()).isEmpty();
        bench.granted(10);
        bench.lost(null);
        bench.turn();
        bench.denied(heldBy(Bench.HOLDER, Bench.OTHER, 5, 11, 800));
        assertThat(bench.phase()).as("no second duel").isEqualTo(Phase.WAITING);
        assertThat(bench.events(TenureEvent.DuplicateHolder.class)).hasSize(1);
        bench.runTo(2_000);
        bench.denied(heldBy(Bench.HOLDER, Bench.OTHER, 5, 11, 800));

        assertThat(bench.events(TenureEvent.DuplicateHolder.class))
                .as("told once")
                .hasSize(1);
        assertThat(bench.all(Effect.SendAcquire.class))
                .filteredOn(sent -> sent.takeover() == Takeover.ANY_INCARNATION)
                .hasSize(1);
    }

    @Test
    void law04_the_one_duel_outlives_the_candidacy() {
        Bench first = standing();
        first.denied(heldBy(Bench.HOLDER, Bench.OTHER, 4, 9, 800));
        first.end(EndReason.CLOSED);
        assertThat(first.machine.standing().duel()).isEqualTo(Standing.Duel.SPENT);

        Bench second = Bench.candidate(Setting.election(), first.machine.standing());
        second.turn();
        assertThat(second.acquire().attempt()).isEqualTo(2);
        second.denied(heldBy(Bench.HOLDER, Bench.OTHER, 5, 11, 800));

        assertThat(second.phase()).isEqualTo(Phase.WAITING);
    }

    @Test
    void law04_whoever_lost_to_another_incarnation_never_takes_it_over() {
        Bench bench = Bench.leader(Setting.election());
        LeaseRecord winner = heldBy(Bench.HOLDER, Bench.OTHER, 1, 11, 800);

        bench.lost(winner);
        assertThat(bench.all(Effect.Finish.class)).containsExactly(new Effect.Finish(EndReason.DUPLICATE_HOLDER));
        bench.turn();
        bench.denied(winner);

        assertThat(bench.phase()).isEqualTo(Phase.WAITING);
        assertThat(bench.events(TenureEvent.DuplicateHolder.class))
                .containsExactly(new TenureEvent.DuplicateHolder(Bench.NAME, winner));
        bench.runTo(801);
        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.SAME_INCARNATION);
    }

    @Test
    void law04_a_duel_is_not_begun_while_an_abandoned_call_is_outstanding() {
        Bench bench = standing();
        bench.runTo(800);
        bench.denied(heldBy(Bench.HOLDER, Bench.OTHER, 4, 9, 100));
        assertThat(bench.phase()).isEqualTo(Phase.WAITING);
        bench.on(new Signal.CallOver(1));
        bench.runTo(901);
        bench.denied(heldBy(Bench.HOLDER, Bench.OTHER, 4, 9, 500));

        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.ANY_INCARNATION);
    }

    @Test
    void law04_values_that_are_not_tenures_are_somebody_elses() {
        Bench bench = standing();

        bench.denied(heldBy(Bench.HOLDER, "", 0, 0, 800));

        assertThat(bench.phase()).isEqualTo(Phase.WAITING);
        assertThat(bench.machine.standing().duel()).isEqualTo(Standing.Duel.OPEN);
    }

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

    // ---- when to look

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

    @Test
    void law20_contenders_woken_by_one_expiry_spread_out_by_their_place_in_line() {
        long[] looks = new long[12];
        for (int place = 0; place < looks.length; place++) {
            Bench bench = waiting(Setting.lock());
            bench.denied(stranger(5, 200), place, true);
            looks[place] = bench.nextTimer();
        }

        assertThat(looks).startsWith(201, 201, 204, 207, 210);
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

    // ---- refusals

    @Test
    void law27_a_refusal_at_the_first_attempt_ends_a_candidacy_and_a_wait() {
        Bench election = standing();
        election.failed(1, REFUSED);
        assertThat(election.retired()).isEqualTo(new Effect.Retire(EndReason.DENIED, REFUSED, Optional.empty()));
        assertThat(election.events()).isEmpty();

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
