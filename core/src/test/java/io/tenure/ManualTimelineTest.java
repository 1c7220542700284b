package io.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.memory.ManualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ManualTimelineTest {
    private final ManualTimeline timeline = new ManualTimeline();
    private final List<String> ran = new ArrayList<>();

    private Runnable note(String what) {
        return () -> ran.add(what + " at " + timeline.nanos());
    }

    private static Duration nanos(long span) {
        return Duration.ofNanos(span);
    }

    @Test
    void its_clock_stands_still_until_it_is_moved() {
        assertThat(timeline.nanos()).isZero();
        timeline.advance(nanos(7));
        assertThat(timeline.nanos()).isEqualTo(7);
        timeline.settle();
        assertThat(timeline.nanos()).isEqualTo(7);
        assertThatIllegalArgumentException().isThrownBy(() -> timeline.advance(nanos(-1)));
    }

    @Test
    void advancing_runs_what_falls_due_in_order_each_at_its_time_and_no_more() {
        timeline.schedule(30, 0, note("c"));
        timeline.schedule(10, 0, note("a"));
        timeline.schedule(20, 0, note("b1"));
        timeline.schedule(20, 0, note("b2"));
        timeline.schedule(31, 0, note("d"));

        timeline.advance(nanos(30));

        assertThat(ran).containsExactly("a at 10", "b1 at 20", "b2 at 20", "c at 30");
        assertThat(timeline.pending()).isEqualTo(1);
    }

    @Test
    void what_a_task_schedules_runs_too_when_it_falls_due() {
        timeline.schedule(10, 0, () -> {
            note("a").run();
            timeline.schedule(5, 0, note("overdue"));
            timeline.schedule(15, 0, note("b"));
            timeline.schedule(25, 0, note("c"));
        });

        timeline.advance(nanos(20));

        assertThat(ran).containsExactly("a at 10", "overdue at 10", "b at 15");
        assertThat(timeline.nanos()).isEqualTo(20);
    }

    @Test
    void a_task_with_slack_goes_off_together_with_an_earlier_one() {
        timeline.schedule(14, 4, note("within"));
        timeline.schedule(15, 4, note("beyond"));
        timeline.schedule(10, 0, note("first"));

        timeline.advance(nanos(13));
        assertThat(ran).containsExactly("first at 10", "within at 10");
        timeline.advance(nanos(2));

        assertThat(ran).endsWith("beyond at 15");
    }

    @Test
    void a_task_that_was_taken_back_does_not_run() {
        Timeline.Timer timer = timeline.schedule(10, 0, note("a"));
        timer.cancel();
        timer.cancel();

        timeline.advance(nanos(10));

        assertThat(ran).isEmpty();
        assertThat(timeline.pending()).isZero();
    }

    @Test
    void time_that_a_task_moves_on_does_not_run_backwards_afterwards() {
        timeline.schedule(10, 0, () -> timeline.advance(nanos(100)));

        timeline.advance(nanos(20));

        assertThat(timeline.nanos()).isEqualTo(110);
    }

    @Test
    void a_background_task_runs_where_it_is_handed_over_and_one_that_it_hands_over_runs_after_it() {
        Timeline.Background background = timeline.background("b");
        background.execute(() -> {
            background.execute(note("inner"));
            ran.add("outer, current: " + background.isCurrent());
        });

        assertThat(ran).containsExactly("outer, current: true", "inner at 0");
        assertThat(background.isCurrent()).isFalse();
        background.close();
        assertThatThrownBy(() -> background.execute(note("refused"))).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void waiting_for_an_answer_returns_at_once() throws InterruptedException {
        CompletableFuture<String> never = new CompletableFuture<>();

        timeline.await(never);

        assertThat(never).isNotDone();
    }

    @Test
    void closing_forgets_what_is_scheduled() {
        timeline.schedule(10, 0, note("a"));

        timeline.close();
        timeline.advance(nanos(10));

        assertThat(ran).isEmpty();
    }
}
