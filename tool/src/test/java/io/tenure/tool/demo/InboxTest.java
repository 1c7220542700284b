package io.tenure.tool.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class InboxTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Inbox inbox = new Inbox();

    private void says(String from, String text) {
        inbox.add(Line.parse(from, text, System.nanoTime()));
    }

    @Test
    void what_was_said_before_the_mark_is_not_taken_for_what_is_awaited() throws Exception {
        says("A", "leads 1");
        int mark = inbox.mark();
        says("B", "leads 2");
        Line leads = inbox.await("a leader", mark, LONG, line -> line.is("leads"));
        assertThat(leads.from()).isEqualTo("B");
        assertThat(leads.number(0)).isEqualTo(2);
    }

    @Test
    void a_line_that_comes_later_ends_the_waiting() throws Exception {
        Thread later = new Thread(() -> says("A", "ready"));
        later.start();
        assertThat(inbox.await("A", 0, LONG, line -> line.is("A", "ready")).verb())
                .isEqualTo("ready");
        later.join();
    }

    @Test
    void waiting_in_vain_says_what_was_waited_for() {
        assertThatThrownBy(() -> inbox.await("another to lead", 0, Duration.ofMillis(1), line -> true))
                .isInstanceOf(StepFailed.class)
                .hasMessageContaining("another to lead");
    }

    @Test
    void a_contender_that_ended_unasked_fails_the_step_at_once() {
        says("B", "gone unexpectedly. OutOfMemoryError");
        assertThatThrownBy(() -> inbox.await("another to lead", 0, LONG, line -> line.is("leads")))
                .isInstanceOf(StepFailed.class)
                .hasMessageContainingAll("another to lead", "B", "OutOfMemoryError");
    }
}
