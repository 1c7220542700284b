package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.stranger;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Bench.Setting;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Law 6: what a contender has seen, however it saw it, is the floor of what it asks for next. */
class LeaseMachineFloorTest {
    @Test
    void law06_a_lost_renewal_that_names_the_new_holder_raises_the_floor() {
        Bench bench = Bench.leader(Setting.election());

        bench.lost(stranger(25, 900));
        bench.turn();

        assertThat(bench.acquire().floor()).isEqualTo(25);
    }

    @Test
    void law06_so_does_one_that_is_lost_while_the_work_drains() {
        Bench bench = Bench.leader(Setting.election().work());
        bench.at(10).renewed();
        bench.on(new Signal.End(EndReason.RESIGNED, 10));
        bench.runTo(300);

        bench.lost(stranger(25, 900));
        bench.workEnded(null);
        bench.runTo(1_000);
        bench.turn();

        assertThat(bench.acquire().floor()).isEqualTo(25);
    }

    @Test
    void law06_a_grant_that_comes_too_late_has_been_seen_all_the_same() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();

        bench.at(900).granted(25); // the process was stopped, and the answer is handled before the timer
        bench.runTo(2_000);

        assertThat(bench.all(Effect.SendAcquire.class)).hasSizeGreaterThan(1);
        assertThat(bench.acquire().floor()).isEqualTo(25);
    }

    @Test
    void law06_the_floor_of_an_attempt_is_the_highest_token_seen() {
        Bench bench = Bench.candidate(Setting.election());
        bench.turn();
        assertThat(bench.acquire().floor()).isZero();
        bench.denied(stranger(40, 50));
        bench.runTo(60);
        assertThat(bench.acquire().floor()).isEqualTo(40);
        bench.denied(stranger(30, 50));
        bench.runTo(120);
        assertThat(bench.acquire().floor()).isEqualTo(40);
        bench.granted(90);
        bench.lost(null);
        bench.turn();

        assertThat(bench.acquire().floor()).isEqualTo(90);
        assertThat(bench.machine.standing().floor()).isEqualTo(90);
    }

    @Test
    void law06_a_regression_that_was_healed_is_told() {
        Bench bench = Bench.candidate(Setting.election(), new Standing(3, 500, Standing.Duel.OPEN));
        bench.turn();
        bench.on(new Signal.Granted(bench.acquire().call(), 501, OptionalLong.of(7)));
        bench.at(10).on(new Signal.Renewed(bench.renewal().call(), OptionalLong.of(8)));

        assertThat(bench.events(TenureEvent.TokenRegressed.class))
                .containsExactly(
                        new TenureEvent.TokenRegressed(Bench.NAME, 7, 500),
                        new TenureEvent.TokenRegressed(Bench.NAME, 8, 501));
    }
}
