package io.tenure.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random lives: what must always hold holds, and every way through the table is gone. */
class LeaseMachineWalkTest {
    private static final int SIGNALS_PER_LIFE = 120;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void invariants_hold_after_every_signal_of_many_random_lives(long series) {
        int signals = 0;
        for (long life = 0; signals < 60_000; life++) {
            signals += live(series * 1_000_000 + life, (row, to) -> {});
        }
        assertThat(signals).isGreaterThanOrEqualTo(60_000);
    }

    @Test
    void every_row_of_the_transition_table_leads_to_each_of_its_targets_in_some_life_and_nowhere_else() {
        Map<Transitions.Row, Set<Phase>> seen = new LinkedHashMap<>();
        Transitions.rows().forEach(row -> seen.put(row, EnumSet.noneOf(Phase.class)));

        for (long life = 0; life < 12_000 && !missing(seen).isEmpty(); life++) {
            live(life, (row, to) -> seen.get(row).add(to));
        }

        assertThat(missing(seen)).as("in the table, but never gone").isEmpty();
    }

    private static List<String> missing(Map<Transitions.Row, Set<Phase>> seen) {
        List<String> missing = new ArrayList<>();
        seen.forEach((row, to) -> row.to().stream()
                .filter(target -> !to.contains(target))
                .forEach(target -> missing.add(row.from() + " on " + row.on().getSimpleName() + " to " + target)));
        return missing;
    }

    @Test
    void the_table_says_what_to_do_for_every_signal_that_can_arrive_in_a_phase() {
        Set<Class<?>> answers = Set.of(
                Signal.Granted.class,
                Signal.Denied.class,
                Signal.Renewed.class,
                Signal.Lost.class,
                Signal.Released.class,
                Signal.Failed.class); // only to the call that is under way, which goes with the phase
        for (Phase phase : Phase.values()) {
            for (Class<?> signal : Signal.class.getPermittedSubclasses()) {
                if (signal != Signal.Answer.class && !answers.contains(signal)) {
                    assertThat(Transitions.rows())
                            .as("%s in %s", signal.getSimpleName(), phase)
                            .filteredOn(row -> row.from() == phase && row.on() == signal)
                            .hasSize(1);
                }
            }
        }
    }

    private static int live(long seed, java.util.function.BiConsumer<Transitions.Row, Phase> visited) {
        try {
            return new Walk(seed, visited).run(SIGNALS_PER_LIFE);
        } catch (RuntimeException e) {
            throw new AssertionError("life " + seed, e);
        }
    }
}
