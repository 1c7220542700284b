package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.InProcessFence;
import io.tenure.StaleTokenException;
import org.junit.jupiter.api.Test;

/** The code of docs/fencing-elsewhere.md that is no part of an example. */
class FencingElsewhereSnippetsTest {
    private record Saved(String value, long mark) {}

    private Saved saved = new Saved("sent by 42", 42);

    @Test
    void a_service_that_was_restarted_refuses_what_it_refused_before() {
        long token = 43;
        // tag::standing-at
        InProcessFence fence = InProcessFence.standingAt("shipping", saved.mark()); // as it was read at the start
        fence.run(token, () -> saved = new Saved("sent by " + token, token)); // value and mark in one write
        // end::standing-at

        assertThat(saved).isEqualTo(new Saved("sent by 43", 43));
        InProcessFence again = InProcessFence.standingAt("shipping", saved.mark());
        assertThatThrownBy(() -> again.run(42, () -> saved = new Saved("late", 42)))
                .isInstanceOf(StaleTokenException.class);
        assertThat(saved.value()).isEqualTo("sent by 43");
    }

    @Test
    void leak_a_service_that_starts_without_a_mark_admits_a_token_of_long_ago() {
        InProcessFence fence = new InProcessFence("shipping");
        fence.run(42, () -> saved = new Saved("sent by 42", 42));

        InProcessFence restarted = new InProcessFence("shipping");
        restarted.run(7, () -> saved = new Saved("late", 7));

        assertThat(saved.value()).isEqualTo("late");
    }
}
