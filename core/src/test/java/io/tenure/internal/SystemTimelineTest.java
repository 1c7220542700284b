package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemTimelineTest {
    private static final long MILLI = 1_000_000;

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        timeline.close();
    }

    private long in(long millis) {
        return timeline.nanos() + millis * MILLI;
    }

    /** Runs {@code task} where no timer goes off meanwhile, however long it takes on a busy machine. */
    private void onTimer(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        timeline.schedule(timeline.nanos(), 0, () -> {
            task.run();
            done.complete(null);
        });
        done.join();
    }

    private void awaitRan(int count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> ran.size() >= count);
    }

    @Test
    void its_clock_is_monotonic_and_reads_about_zero_at_first() {
        long first = new SystemTimeline().nanos();
        assertThat(first).isBetween(0L, TimeUnit.SECONDS.toNanos(30));
        long before = timeline.nanos();
        assertThat(timeline.nanos()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void a_thread_that_was_not_to_be_had_is_asked_for_again_by_the_next_timer() {
        AtomicInteger refusals = new AtomicInteger(1);
        SystemTimeline starved = new SystemTimeline(task -> {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(task);
        });
        try {
            starved.schedule(starved.nanos(), 0, () -> ran.add("first"));
            assertThat(ran).isEmpty();

            starved.schedule(starved.nanos(), 0, () -> ran.add("second"));

            awaitRan(2);
            assertThat(ran).containsExactly("first", "second");
        } finally {
            starved.close();
        }
    }

    @Test
    void tasks_run_on_one_daemon_thread_in_the_order_of_their_times_and_never_early() throws Exception {
        long at = in(120);
        CompletableFuture<Long> last = new CompletableFuture<>();
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        onTimer(() -> {
            timeline.schedule(at, 0, () -> {
                ran.add("c");
                last.complete(timeline.nanos());
            });
            timeline.schedule(at - 60 * MILLI, 0, () -> ran.add("b"));
            timeline.schedule(at - 90 * MILLI, 0, () -> {
                ran.add("a");
                thread.complete(Thread.currentThread());
            });
        });

        assertThat(last.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(at);
        assertThat(ran).containsExactly("a", "b", "c");
        assertThat(thread.get().isDaemon()).isTrue();
        assertThat(thread.get().getName()).isEqualTo("tenure-timer");
    }

    @Test
    void tasks_of_one_time_run_in_the_order_in_which_they_were_scheduled() {
        long at = in(50);
        IntStream.range(0, 20).forEach(i -> timeline.schedule(at, 0, () -> ran.add("task " + i)));

        awaitRan(20);

        assertThat(ran)
                .isEqualTo(IntStream.range(0, 20).mapToObj(i -> "task " + i).toList());
    }

    @Test
    void a_task_whose_time_has_passed_runs_at_once() throws Exception {
        CompletableFuture<Long> done = new CompletableFuture<>();

        timeline.schedule(timeline.nanos() - 1, 0, () -> done.complete(timeline.nanos()));

        assertThat(done.get(30, TimeUnit.SECONDS)).isPositive();
    }

    @Test
    void an_earlier_task_wakes_the_thread_that_sleeps_for_a_later_one() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        timeline.schedule(in(3_600_000), 0, () -> ran.add("in an hour"));
        await().atMost(Duration.ofSeconds(30)).until(() -> timer().getState() == Thread.State.TIMED_WAITING);

        timeline.schedule(in(20), 0, () -> done.complete("soon"));

        assertThat(done.get(30, TimeUnit.SECONDS)).isEqualTo("soon");
        assertThat(ran).isEmpty();
    }

    @Test
    void a_task_with_slack_goes_off_together_with_an_earlier_one_but_not_before_its_slack() throws Exception {
        long first = in(60);
        CompletableFuture<Long> within = new CompletableFuture<>();
        CompletableFuture<Long> beyond = new CompletableFuture<>();
        CompletableFuture<Long> alone = new CompletableFuture<>();
        long far = first + TimeUnit.HOURS.toNanos(1);
        timeline.schedule(far, far - first + 1, () -> within.complete(timeline.nanos()));
        timeline.schedule(first, 0, () -> alone.complete(timeline.nanos()));
        timeline.schedule(first + 400 * MILLI, 100 * MILLI, () -> beyond.complete(timeline.nanos()));
        // the far one stands behind the one that is beyond its slack, and is served with that one

        assertThat(alone.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(first);
        assertThat(beyond.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(first + 300 * MILLI);
        assertThat(within.get(30, TimeUnit.SECONDS)).as("an hour early").isBetween(first, far - 1);
    }

    @Test
    void a_task_that_was_taken_back_does_not_run() {
        List<Timeline.Timer> cancelled = new CopyOnWriteArrayList<>();
        onTimer(() -> {
            cancelled.add(timeline.schedule(in(40), 0, () -> ran.add("cancelled")));
            timeline.schedule(in(80), 0, () -> ran.add("later"));
            cancelled.get(0).cancel();
        });

        awaitRan(1);
        cancelled.get(0).cancel();

        assertThat(ran).containsExactly("later");
    }

    @Test
    void a_task_that_throws_does_not_stop_the_others() {
        timeline.schedule(in(5), 0, () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> ran.add(failure.getMessage()));
            throw new IllegalStateException("thrown");
        });
        timeline.schedule(in(30), 0, () -> ran.add("next"));

        awaitRan(2);

        assertThat(ran).containsExactly("thrown", "next");
    }

    @Test
    void a_stranger_that_interrupts_the_timer_does_not_stop_it() {
        timeline.schedule(in(100), 0, () -> ran.add("on time"));

        timer().interrupt();
        awaitRan(1);

        assertThat(ran).containsExactly("on time");
    }

    @Test
    void a_task_may_schedule_the_next_one() {
        timeline.schedule(in(1), 0, () -> {
            ran.add("first");
            timeline.schedule(in(1), 0, () -> ran.add("second"));
        });

        awaitRan(2);

        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void closing_ends_the_thread_and_nothing_goes_off_any_more() {
        timeline.schedule(in(3_600_000), 0, () -> ran.add("too late"));
        Thread thread = timer();
        await().atMost(Duration.ofSeconds(30)).until(() -> thread.getState() == Thread.State.TIMED_WAITING);

        timeline.close();
        timeline.close();

        await().atMost(Duration.ofSeconds(30)).until(() -> !thread.isAlive());
        timeline.schedule(timeline.nanos(), 0, () -> ran.add("refused")).cancel();
        assertThat(ran).isEmpty();
    }

    @Test
    void a_background_runs_its_tasks_in_order_on_a_daemon_thread_of_its_name() throws Exception {
        Timeline.Background background = timeline.background("tenure-test");
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> current = new CompletableFuture<>();
        assertThat(background.isCurrent()).isFalse();
        IntStream.range(0, 100).forEach(i -> background.execute(() -> ran.add("task " + i)));
        background.execute(() -> {
            current.complete(background.isCurrent());
            thread.complete(Thread.currentThread());
        });

        assertThat(thread.get(30, TimeUnit.SECONDS).getName()).isEqualTo("tenure-test");
        assertThat(thread.get().isDaemon()).isTrue();
        assertThat(current.get()).isTrue();
        assertThat(ran)
                .isEqualTo(IntStream.range(0, 100).mapToObj(i -> "task " + i).toList());
        background.close();
    }

    @Test
    void a_background_that_is_closed_runs_what_it_was_given_and_refuses_more_and_its_thread_ends() throws Exception {
        Timeline.Background background = timeline.background("tenure-test");
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        background.execute(() -> {
            thread.complete(Thread.currentThread());
            try {
                assertThat(gate.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                ran.add("interrupted");
            }
        });
        background.execute(() -> ran.add("given"));

        background.close();

        assertThatThrownBy(() -> background.execute(() -> ran.add("refused")))
                .isInstanceOf(RejectedExecutionException.class);
        gate.countDown();
        Thread worker = thread.get(30, TimeUnit.SECONDS);
        worker.join(30_000);
        assertThat(worker.isAlive()).isFalse();
        assertThat(ran).containsExactly("given");
    }

    private Thread timer() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        timeline.schedule(timeline.nanos(), 0, () -> thread.complete(Thread.currentThread()));
        return thread.join();
    }
}
