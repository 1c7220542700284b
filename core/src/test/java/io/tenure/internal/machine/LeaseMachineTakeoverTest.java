package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.heldBy;
import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.stranger;
import static io.tenure.internal.machine.Scenes.resign;
import static io.tenure.internal.machine.Scenes.standing;
import static io.tenure.internal.machine.Scenes.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import io.tenure.spi.Takeover;
import org.junit.jupiter.api.Test;

/** Law 4: when an elector replaces a leftover of its own id, and when it leaves it alone. */
class LeaseMachineTakeoverTest {
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
    void law04_an_older_leftover_of_the_own_incarnation_is_replaced_as_soon_as_that_may_be_asked_for() {
        Bench older = repeatingAttempt2();
        older.denied(heldBy(Bench.HOLDER, Bench.INCARNATION, 1, 9, 800));
        assertThat(older.last(Effect.SendAcquire.class))
                .extracting(Effect.SendAcquire::takeover)
                .containsExactly(Takeover.SAME_INCARNATION);
        older.denied(heldBy(Bench.HOLDER, Bench.INCARNATION, 1, 9, 800));
        assertThat(older.phase()).as("asked for in vain").isEqualTo(Phase.WAITING);

        Bench same = repeatingAttempt2();
        same.denied(heldBy(Bench.HOLDER, Bench.INCARNATION, 2, 9, 800));
        assertThat(same.phase()).as("no older one").isEqualTo(Phase.WAITING);
    }

    /** A later candidacy whose attempt failed and is sent again, which must not ask for a takeover. */
    private static Bench repeatingAttempt2() {
        Bench first = standing();
        first.denied(stranger(5, 300));
        first.end(EndReason.CLOSED);
        Bench bench = Bench.candidate(Setting.election(), first.machine.standing());
        bench.turn();
        bench.failed(bench.acquire().call(), passing());
        bench.runTo(100);
        assertThat(bench.acquire().attempt()).isEqualTo(2);
        assertThat(bench.acquire().takeover()).isEqualTo(Takeover.NONE);
        return bench;
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

    // ---- releasing

    @Test
    void law04_after_a_release_that_was_not_answered_the_next_attempt_does_not_take_over_before_the_call_is_over() {
        Bench bench = Bench.leader(Setting.election());
        bench.renewed();
        resign(bench);
        bench.runTo(900); // abandons the release
        bench.runTo(1_000);
        bench.turn();
        assertThat(bench.acquire().takeover()).isEqualTo(io.tenure.spi.Takeover.NONE);
        bench.denied(Bench.heldBy(Bench.HOLDER, Bench.INCARNATION, 1, 10, 500));
        assertThat(bench.phase()).as("no use to ask again at once").isEqualTo(Phase.WAITING);
        assertThat(bench.nextTimer()).isGreaterThanOrEqualTo(1_005);
        assertThat(bench.events(TenureEvent.Following.class))
                .as("a leftover of ours is nobody to follow")
                .isEmpty();

        bench.on(new Signal.CallOver(bench.release().call()));
        bench.runTo(1_000 + 501);

        assertThat(bench.acquire().takeover()).isEqualTo(io.tenure.spi.Takeover.SAME_INCARNATION);
    }
}
