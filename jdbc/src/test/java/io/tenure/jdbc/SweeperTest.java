package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import io.tenure.TenureEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SweeperTest {
    private static final int LOCKS = 32;

    private final List<TenureEvent> told = new ArrayList<>();
    private CompletionStage<Integer> answer = CompletableFuture.completedFuture(100);
    private int sweeps;
    private long now = Long.MAX_VALUE - 5;
    private final Sweeper sweeper = new Sweeper(
            () -> {
                sweeps++;
                return answer;
            },
            told::add,
            () -> now);

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
        now += TimeUnit.MILLISECONDS.toNanos(999);
        grant(4 * LOCKS);
        assertThat(sweeps).isEqualTo(1);
        now += TimeUnit.MILLISECONDS.toNanos(1);
        grant(4 * LOCKS);
        assertThat(sweeps).isEqualTo(2);
    }

    @Test
    void what_is_refused_for_good_is_told_once_until_it_went_well() {
        sweepWith(CompletableFuture.failedFuture(StoreException.passing("busy")));
        assertThat(told).isEmpty();
        CompletionStage<Integer> refusal =
                CompletableFuture.failedFuture(StoreException.permanent("no right to delete"));
        sweepWith(refusal);
        sweepWith(refusal);
        assertThat(told).singleElement().asString().contains("pile up", "no right to delete");

        sweepWith(CompletableFuture.completedFuture(0));
        sweepWith(refusal);

        assertThat(told).hasSize(2);
    }

    private void sweepWith(CompletionStage<Integer> next) {
        int before = sweeps;
        answer = next;
        now += TimeUnit.SECONDS.toNanos(1);
        grant(LOCKS);
        assertThat(sweeps).isEqualTo(before + 1);
    }
}
