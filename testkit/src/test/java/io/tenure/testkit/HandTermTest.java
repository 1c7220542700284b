package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.Tokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandTermTest {
    private final HandTerm term = HandTerm.held("reports", 7);

    @Test
    void it_is_held_until_it_is_told_otherwise() {
        assertThat(term.name()).isEqualTo("reports");
        assertThat(term.token()).isEqualTo(7);
        assertThat(term.holder()).isNotEmpty();
        assertThat(term.isHeld()).isTrue();
        assertThat(term.remaining()).isPositive();
        assertThat(term.ended().toCompletableFuture()).isNotDone();
        term.requireHeld();
        term.requireRemaining(Duration.ofMinutes(1));
    }

    @Test
    void it_expires_by_hand() {
        term.expire();

        assertThat(term.isHeld()).isFalse();
        assertThat(term.remaining()).isZero();
        assertThat(term.ended().toCompletableFuture()).isCompletedWithValue(EndReason.EXPIRED);
        LeaseLostException lost = catchThrowableOfType(LeaseLostException.class, term::requireHeld);
        assertThat(lost.name()).isEqualTo("reports");
        assertThat(lost.token()).isEqualTo(7);
        assertThat(lost.reason()).isEqualTo(EndReason.EXPIRED);
    }

    @Test
    void it_is_lost_for_the_reason_that_was_given() {
        term.lose(EndReason.TAKEN);

        assertThat(term.ended().toCompletableFuture()).isCompletedWithValue(EndReason.TAKEN);
        assertThatThrownBy(() -> term.requireRemaining(Duration.ZERO)).hasMessageContaining("TAKEN");
    }

    @Test
    void it_can_be_resigned() {
        term.resign();

        assertThat(term.ended().toCompletableFuture()).isCompletedWithValue(EndReason.RESIGNED);
    }

    @Test
    void it_ends_once_for_its_first_reason() {
        List<EndReason> reasons = new ArrayList<>();
        term.ended().thenAccept(reasons::add);

        term.lose(EndReason.FORCED);
        term.expire();
        term.resign();

        assertThat(reasons).containsExactly(EndReason.FORCED);
    }

    @Test
    void law12_it_is_not_held_any_more_when_its_end_is_told() {
        List<Boolean> heldWhenTold = new ArrayList<>();
        term.ended().thenAccept(reason -> heldWhenTold.add(term.isHeld()));

        term.expire();

        assertThat(heldWhenTold).containsExactly(false);
    }

    @Test
    void nobody_but_its_master_ends_it() {
        term.ended().toCompletableFuture().complete(EndReason.CLOSED);

        assertThat(term.isHeld()).isTrue();
        assertThat(term.ended().toCompletableFuture()).isNotDone();
    }

    @Test
    void it_has_less_left_than_a_step_needs_when_it_is_told_so() {
        term.withRemaining(Duration.ofMillis(5));

        assertThat(term.remaining()).isEqualTo(Duration.ofMillis(5));
        assertThatThrownBy(() -> term.requireRemaining(Duration.ofMillis(6))).isInstanceOf(LeaseLostException.class);
        term.requireRemaining(Duration.ofMillis(5));
        assertThat(term.isHeld()).isTrue();
    }

    @Test
    void what_cannot_be_a_term_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> HandTerm.held("", 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandTerm.held("reports", 0))
                .withMessageContaining("reports");
        assertThatIllegalArgumentException().isThrownBy(() -> HandTerm.held("reports", Tokens.LIMIT));
        assertThatIllegalArgumentException().isThrownBy(() -> term.withRemaining(Duration.ZERO));
    }
}
