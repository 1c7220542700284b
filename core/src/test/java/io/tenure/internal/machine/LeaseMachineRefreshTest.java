package io.tenure.internal.machine;

import static io.tenure.internal.machine.Bench.passing;
import static io.tenure.internal.machine.Bench.reading;
import static io.tenure.internal.machine.Bench.stranger;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.StoreException;
import io.tenure.internal.machine.Bench.Setting;
import org.junit.jupiter.api.Test;

/** Refreshes that the user asks for. */
class LeaseMachineRefreshTest {
    @Test
    void a_refresh_extends_by_the_ttl_from_when_it_was_sent() {
        Bench bench = Bench.lock(Setting.lock().renewEvery(0));
        bench.at(500).on(new Signal.Refresh());
        assertThat(bench.last(Effect.SendRenew.class)).hasSize(1);

        bench.at(550).renewed();

        assertThat(bench.last())
                .containsExactly(new Effect.Extend(bench.machine.nextTimer()), new Effect.Refreshed(null));
        assertThat(bench.nextTimer()).isEqualTo(1_400);
    }

    @Test
    void a_refresh_that_fails_says_so_and_leaves_the_lease_as_it_was() {
        Bench bench = Bench.lock(Setting.lock().renewEvery(0));
        bench.at(500).on(new Signal.Refresh());
        StoreException cause = passing();

        bench.at(550).failed(bench.renewal().call(), cause);

        assertThat(bench.last(Effect.Refreshed.class)).containsExactly(new Effect.Refreshed(cause));
        assertThat(bench.nextTimer()).isEqualTo(900);
        assertThat(bench.phase()).isEqualTo(Phase.HOLDING);
    }

    @Test
    void a_refresh_may_take_a_third_of_the_ttl() {
        Bench bench = Bench.lock(Setting.lock().renewEvery(0));
        bench.at(100).on(new Signal.Refresh());

        bench.runTo(399);
        assertThat(bench.all(Effect.Refreshed.class)).isEmpty();
        bench.runTo(400);

        assertThat(bench.last(Effect.Refreshed.class)).hasSize(1);
        assertThat(bench.latest(Effect.Refreshed.class).failure())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("'n'");
        assertThat(bench.all(Effect.SendRenew.class))
                .as("nobody asked for another one")
                .hasSize(1);
    }

    @Test
    void a_refresh_that_is_asked_for_during_a_renewal_follows_it() {
        Bench bench = Bench.lock(Setting.lock());
        bench.runTo(200);
        bench.at(210).on(new Signal.Refresh());
        assertThat(bench.last()).isEmpty();

        bench.at(220).renewed();
        assertThat(bench.last(Effect.Refreshed.class)).isEmpty();
        assertThat(bench.last(Effect.SendRenew.class)).hasSize(1);
        bench.at(230).renewed();

        assertThat(bench.last(Effect.Refreshed.class)).containsExactly(new Effect.Refreshed(null));
        assertThat(bench.last(Effect.Extend.class))
                .extracting(extend -> reading(extend.deadline()))
                .containsExactly(1_120L);
    }

    @Test
    void a_refresh_that_waits_for_a_renewal_follows_it_at_once_when_that_one_fails_or_is_given_up() {
        Bench failing = Bench.lock(Setting.lock());
        failing.runTo(200);
        failing.on(new Signal.Refresh());
        failing.at(210).failed(failing.renewal().call(), passing());
        assertThat(failing.last(Effect.SendRenew.class)).hasSize(1);

        Bench silent = Bench.lock(Setting.lock().ttl(900).renewEvery(300));
        silent.runTo(300);
        silent.at(310).on(new Signal.Refresh());
        silent.runTo(600);
        assertThat(silent.last(Effect.SendRenew.class)).hasSize(1);
        silent.at(610).renewed();
        assertThat(silent.last(Effect.Refreshed.class)).containsExactly(new Effect.Refreshed(null));
    }

    @Test
    void a_refresh_of_a_lease_that_is_over_is_a_loss() {
        Bench late = Bench.lock(Setting.lock().renewEvery(0));
        late.at(900).on(new Signal.Refresh());
        assertLost(late, EndReason.EXPIRED);

        Bench lost = Bench.lock(Setting.lock());
        lost.runTo(200);
        lost.on(new Signal.Refresh());
        lost.at(210).lost(stranger(11, 500));
        assertLost(lost, EndReason.TAKEN);
        lost.on(new Signal.Refresh());
        assertLost(lost, EndReason.TAKEN);

        Bench released = Bench.lock(Setting.lock());
        released.at(10).on(new Signal.End(EndReason.RELEASED, 10));
        released.on(new Signal.Refresh());
        assertLost(released, EndReason.RELEASED);
    }

    @Test
    void a_refresh_under_way_is_lost_when_the_lease_is_given_up() {
        Bench bench = Bench.lock(Setting.lock());
        bench.at(10).on(new Signal.Refresh());

        bench.on(new Signal.End(EndReason.RELEASED, 10));

        assertLost(bench, EndReason.RELEASED);
    }

    private static void assertLost(Bench bench, EndReason reason) {
        assertThat(bench.last(Effect.Refreshed.class)).hasSize(1);
        assertThat(bench.latest(Effect.Refreshed.class).failure())
                .isInstanceOfSatisfying(LeaseLostException.class, loss -> {
                    assertThat(loss.reason()).isEqualTo(reason);
                    assertThat(loss.token()).isEqualTo(10);
                });
    }
}
