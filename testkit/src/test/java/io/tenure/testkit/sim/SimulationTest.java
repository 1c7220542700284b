package io.tenure.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The laws in many histories. {@code -Dtenure.sim.seeds=100000} tries that many, {@code -Dtenure.sim.from=7000} begins
 * with another seed, {@code -Dtenure.sim.seed=42} replays one and prints what happens in it.
 */
final class SimulationTest {

    @Test
    void laws_are_kept_in_every_history() throws Throwable {
        Long replayed = Long.getLong("tenure.sim.seed");
        if (replayed != null) {
            Simulation.ofSeed(replayed).trace().forEach(System.out::println);
        }
        long from = replayed == null ? Long.getLong("tenure.sim.from", 0) : replayed;
        long count = replayed == null ? Long.getLong("tenure.sim.seeds", 2_000) : 1;

        long began = System.nanoTime();
        List<History> histories = run(from, count);
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
    void histories_differ_and_are_long_enough_to_mean_something() throws Throwable {
        List<History> histories = run(0, 60);

        assertThat(histories.stream().map(History::hash)).doesNotHaveDuplicates();
        assertThat(average(histories, History::signals)).isGreaterThanOrEqualTo(1_000);
        assertThat(average(histories, History::terms)).isGreaterThanOrEqualTo(20);
        assertThat(average(histories, History::locks)).isPositive();
        assertThat(average(histories, History::writesAccepted)).isPositive();
        assertThat(average(histories, History::writesRefused)).isPositive();
    }

    @Test
    void the_same_seed_gives_the_same_history() throws Throwable {
        assertThat(run(0, 40)).isEqualTo(run(0, 40));
        assertThat(Simulation.ofSeed(7).trace()).isEqualTo(Simulation.ofSeed(7).trace());
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
                assertThat(all.indexOf(" " + what + " ")).as("%s", what).isPositive();
            }
        }
        for (String told : List.of(
                "Elected",
                "Following",
                "LeaderChanged",
                "LockAcquired",
                "LockReleased",
                "LeaseInDanger",
                "RenewalFailed",
                "AttemptFailed",
                "ReleaseFailed",
                "WorkFailed",
                "DrainOverrun",
                "TokenRegressed",
                "DuplicateHolder",
                "LeaseLost EXPIRED",
                "SteppedDown EXPIRED",
                "SteppedDown TAKEN",
                "SteppedDown FORCED",
                "SteppedDown RESIGNED",
                "SteppedDown DUPLICATE_HOLDER",
                "SteppedDown WORK_RETURNED",
                "SteppedDown WORK_FAILED",
                "SteppedDown CLOSED")) {
            assertThat(all.indexOf(" tells " + told + " ")).as(told).isPositive();
        }
    }

    /** Histories know nothing of each other: as many run at a time as there are cores, each in one thread. */
    private static List<History> run(long from, long count) throws Throwable {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Callable<History>> runs = LongStream.range(from, from + count)
                    .<Callable<History>>mapToObj(
                            seed -> () -> Simulation.ofSeed(seed).run())
                    .toList();
            List<History> histories = new ArrayList<>();
            for (Future<History> history : threads.invokeAll(runs)) {
                histories.add(history.get());
            }
            return histories;
        } catch (ExecutionException e) {
            throw e.getCause();
        } finally {
            threads.shutdownNow();
        }
    }

    private static double average(List<History> histories, ToLongFunction<History> figure) {
        return histories.stream().mapToLong(figure).average().orElse(0);
    }
}
