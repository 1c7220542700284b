package io.tenure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.benchmarks.Row.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private static final Scenario SCENARIO = new Scenario(
            "s",
            1,
            List.of(subject("floor"), subject("ours")),
            List.of(new Target("ours", "floor", 0.5), new Target("ours", "floor", 0.6)));

    @Test
    void a_ratio_is_taken_within_each_round_and_not_of_the_middles() {
        Results results = measured(new double[] {100, 10, 1_000}, new double[] {10, 20, 600});

        assertThat(results.ratio("s", "ours", "floor").asRatio()).isEqualTo("0.60 (0.35 to 1.30)");
    }

    @Test
    void a_target_is_judged_by_the_middle_ratio() {
        Results results = measured(new double[] {100, 100, 100}, new double[] {40, 50, 90});

        assertThat(results.table(SCENARIO))
                .contains("target: ours >= 0.50 x floor: 0.50 (0.45 to 0.70), met")
                .contains("target: ours >= 0.60 x floor: 0.50 (0.45 to 0.70), MISSED");
    }

    @Test
    void a_spread_lies_between_figures_where_it_has_to_and_needs_one() {
        assertThat(Spread.of(DoubleStream.of(4, 1, 3, 2))).isEqualTo(new Spread(1.75, 2.5, 3.25));
        assertThatThrownBy(() -> Spread.of(DoubleStream.empty())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_slice_counts_what_was_done_and_repeats_it_at_least_once() throws Exception {
        List<Integer> done = new ArrayList<>();

        Slice slice = Slice.of(() -> done.add(1), 0);

        assertThat(done).hasSize(1);
        assertThat(slice.nanos()).hasSize(1);
        assertThat(new Slice(new long[4], 2_000_000_000).perSecond()).isEqualTo(2);
    }

    private static Results measured(double[] floor, double[] ours) {
        Results results = new Results();
        for (int round = 0; round < floor.length; round++) {
            for (Metric metric : Metric.values()) {
                results.add(List.of(
                        new Row("s", "floor", metric, round, floor[round]),
                        new Row("s", "ours", metric, round, ours[round])));
            }
        }
        return results;
    }

    private static Subject subject(String name) {
        return Subject.of(name, thread -> () -> {});
    }
}
