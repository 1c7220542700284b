package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import io.tenure.TenureEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class SweeperTest {
    private static final int LOCKS = 32;

    private final List<TenureEvent> told = new ArrayList<>();
    private CompletionStage<Integer> answer = CompletableFuture.completedFuture(100);
    private int sweeps;
    private final Sweeper sweeper = new Sweeper(
            () -> {
                sweeps++;
                return answer;
            },
            told::add);

    private void grant(int locks) {
        for (int i = 0; i < locks; i++) {
            sweeper.granted();
        }
    }

    @Test
    void as_long_as_there_is_much_to_go_every_32nd_lock_sweeps() {
        grant(4 * LOCKS);

        assertThat(sweeps).isEqualTo(4);
    }

    @Test
    void where_little_was_found_nothing_is_looked_for_so_soon_again() {
        answer = CompletableFuture.completedFuture(99);

        grant(4 * LOCKS);

        assertThat(sweeps).isEqualTo(1);
    }

    @Test
    void what_is_refused_for_good_is_told_once() {
        answer = CompletableFuture.failedFuture(StoreException.permanent("no right to delete"));
        Sweeper other = new Sweeper(() -> answer, told::add);
        other.granted();
        other.granted();
        assertThat(told).singleElement().asString().contains("pile up", "no right to delete");

        answer = CompletableFuture.failedFuture(StoreException.passing("busy"));
        new Sweeper(() -> answer, told::add).granted();
        assertThat(told).hasSize(1);
    }
}
