package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tenure.StaleTokenException;
import io.tenure.Tokens;
import io.tenure.testkit.LeaseServer.GuardedCell;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The laws of fences whose lease is kept elsewhere, which have to be claimed (laws 25, 26 and 30). To be extended as
 * {@link LeaseStoreContract} is; its fences keep no mark of a name that no test has used.
 */
public abstract class ExternalFenceContract {
    /** For subclasses. */
    protected ExternalFenceContract() {}

    /** A new piece of state of the resource, empty, under the fence of the lease {@code name}. */
    protected abstract GuardedCell cell(String name);

    @Test
    void law25_a_fence_elsewhere_refuses_every_token_until_one_is_claimed() {
        GuardedCell cell = cell(name());

        assertThat(refused(() -> cell.write(5, "early")).mark()).isZero();
        assertThat(cell.read()).isEmpty();
        cell.claim(5);
        cell.write(5, "claimed");

        assertThat(cell.read()).isEqualTo("claimed");
    }

    @Test
    void law26_a_claim_refuses_lower_tokens_before_anything_is_written_under_it() {
        String name = name();
        GuardedCell cell = cell(name);
        cell.claim(5);
        cell.write(5, "old");
        cell.claim(9);

        StaleTokenException refusal = refused(() -> cell.write(5, "late"));

        assertThat(refusal.name()).isEqualTo(name);
        assertThat(refusal.token()).isEqualTo(5);
        assertThat(refusal.mark()).isEqualTo(9);
        assertThat(cell.read()).isEqualTo("old");
        cell.write(9, "new");
        assertThat(cell.read()).isEqualTo("new");
    }

    @Test
    void law25_the_mark_can_be_claimed_again_and_again_and_a_lower_token_cannot() {
        GuardedCell cell = cell(name());
        cell.claim(9);
        cell.claim(9);

        assertThat(refused(() -> cell.claim(8)).mark()).isEqualTo(9);

        cell.write(9, "claimed");
        assertThat(cell.read()).isEqualTo("claimed");
    }

    @Test
    void law25_a_fence_elsewhere_refuses_numbers_that_are_no_tokens_in_every_form() {
        GuardedCell unused = cell(name());
        GuardedCell used = cell(name());
        used.claim(5);
        for (GuardedCell cell : List.of(unused, used)) {
            for (long number : List.of(0L, -1L, Long.MIN_VALUE, Tokens.LIMIT, Tokens.LIMIT + 1, Long.MAX_VALUE)) {
                refused(() -> cell.write(number, "forged"));
                refused(() -> cell.claim(number));
            }
            assertThat(cell.read()).isEmpty();
        }
        used.claim(Tokens.LIMIT - 1);
        used.write(Tokens.LIMIT - 1, "the last one");
        assertThat(used.read()).isEqualTo("the last one");
    }

    @Test
    void law25_a_write_that_fails_elsewhere_does_not_move_the_mark() {
        GuardedCell cell = cell(name());
        cell.claim(5);

        assertThatThrownBy(() -> cell.writeWhatFails(9)).isNotNull();

        cell.write(5, "still current");
        assertThat(cell.read()).isEqualTo("still current");
    }

    @Test
    void law30_fences_of_names_that_differ_in_any_byte_have_marks_of_their_own() {
        String base = name();
        List<String> names = List.of(
                base + "Report",
                base + "report",
                base + "report ",
                base + "report  ",
                base + "R\u00e9port",
                base + "Re\u0301port",
                base + "\u00dfreport",
                base + "ssreport",
                base + "'\"\\%_report",
                base + "\ud83d\ude80",
                base + "x".repeat(512 - base.length()));
        List<GuardedCell> cells = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            GuardedCell cell = cell(names.get(i));
            cell.claim(100 - i); // lower from name to name: one mark for two would refuse the second
            cells.add(cell);
        }

        for (int i = 0; i < names.size(); i++) {
            cells.get(i).write(100 - i, "cell " + i);
            assertThat(cells.get(i).read()).isEqualTo("cell " + i);
        }
    }

    private static String name() {
        return "law-" + UUID.randomUUID();
    }

    private static StaleTokenException refused(Runnable what) {
        StaleTokenException refusal = catchThrowableOfType(StaleTokenException.class, what::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }
}
