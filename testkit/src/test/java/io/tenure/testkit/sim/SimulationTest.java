package io.tenure.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The laws in many histories. {@code -Dtenure.sim.seeds=100000} tries that many, {@code -Dtenure.sim.from=7000} begins
 * with another seed, {@code -Dtenure.sim.seed=42} replays one and prints what happens in it.
 */
final class SimulationTest {

    @Test
    void laws_are_kept_in_every_history() {
        Long replayed = Long.getLong("tenure.sim.seed");
        if (replayed != null) {
            Simulation.ofSeed(replayed).trace().forEach(System.out::println);
        }
        long from = replayed == null ? Long.getLong("tenure.sim.from", 0) : replayed;
        long count = replayed == null ? Long.getLong("tenure.sim.seeds", 2_000) : 1;

        long began = System.nanoTime();
        List<History> histories = LongStream.range(from, from + count)
                .mapToObj(seed -> Simulation.ofSeed(seed).run())
                .toList();
        double seconds = (System.nanoTime() - began) / 1e9;

        System.out.printf(
                Locale.ROOT,
                "%d histories from seed %d, %.0f a second: %.0f signals, %.1f terms, %.1f locks each%n",
                count,
                from,
                count / seconds,
                average(histories, History::signals),
                average(histories, History::terms),
                average(histories, History::locks));
        assertThat(histories).hasSize((int) count);
    }

    @Test
    void histories_are_long_enough_to_mean_something() {
        List<History> histories = new ArrayList<>();
        for (long seed = 0; seed < 60; seed++) {
            histories.add(Simulation.ofSeed(seed).run());
        }

        assertThat(average(histories, History::signals)).isGreaterThanOrEqualTo(1_000);
        assertThat(average(histories, History::terms)).isGreaterThanOrEqualTo(20);
        assertThat(average(histories, History::writesAccepted)).isPositive();
        assertThat(average(histories, History::writesRefused)).isPositive();
    }

    @Test
    void the_same_seed_gives_the_same_history() {
        for (long seed = 0; seed < 40; seed++) {
            assertThat(Simulation.ofSeed(seed).run())
                    .isEqualTo(Simulation.ofSeed(seed).run());
        }
        assertThat(Simulation.ofSeed(7).trace()).isEqualTo(Simulation.ofSeed(7).trace());
    }

    @Test
    void different_seeds_give_different_histories() {
        assertThat(LongStream.range(0, 40)
                        .mapToObj(seed -> Simulation.ofSeed(seed).run().hash())
                        .distinct())
                .hasSize(40);
    }

    /** What never happens proves nothing: every fault and every kind of end has to turn up. */
    @Test
    void everything_that_can_happen_does() {
        StringBuilder all = new StringBuilder();
        for (long seed = 0; seed < 60; seed++) {
            all.append(String.join("\n", Simulation.ofSeed(seed).trace())).append('\n');
        }

        for (Trace.What what : Trace.What.values()) {
            if (what != Trace.What.EVENT) {
                assertThat(all).contains(" " + what + " ");
            }
        }
        assertThat(all)
                .contains(
                        "tells Elected",
                        "tells Following",
                        "tells LeaderChanged",
                        "tells LockAcquired",
                        "tells LockReleased",
                        "tells LeaseInDanger",
                        "tells RenewalFailed",
                        "tells AttemptFailed",
                        "tells ReleaseFailed",
                        "tells WorkFailed",
                        "tells DrainOverrun",
                        "tells TokenRegressed",
                        "tells DuplicateHolder",
                        "tells LeaseLost EXPIRED",
                        "tells SteppedDown EXPIRED",
                        "tells SteppedDown TAKEN",
                        "tells SteppedDown FORCED",
                        "tells SteppedDown RESIGNED",
                        "tells SteppedDown DUPLICATE_HOLDER",
                        "tells SteppedDown WORK_RETURNED",
                        "tells SteppedDown WORK_FAILED",
                        "tells SteppedDown CLOSED");
    }

    private static double average(List<History> histories, java.util.function.ToLongFunction<History> figure) {
        return histories.stream().mapToLong(figure).average().orElse(0);
    }
}
