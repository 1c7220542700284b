package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.TenureEvent;
import io.tenure.TenureObserver;
import io.tenure.Timeline;
import io.tenure.memory.ManualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventsTest {
    private final SystemTimeline timeline = new SystemTimeline();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void letEverythingEnd() {
        gate.countDown();
        timeline.close();
    }

    private static TenureEvent event(int number) {
        return new TenureEvent.StoreWarning("event " + number);
    }

    private static List<TenureEvent> events(int from, int to) {
        return IntStream.range(from, to).mapToObj(EventsTest::event).toList();
    }

    /** Flushing has a bound of two seconds, which a busy machine may need for thousands of events. */
    private static void awaitTold(List<TenureEvent> seen, int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() >= count);
    }

    /** An observer that keeps what it is told, and stops in its first event until the gate opens. */
    private TenureObserver stopping(List<TenureEvent> seen, CountDownLatch inside) {
        return told -> {
            inside.countDown();
            try {
                assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            seen.add(told);
        };
    }

    @Test
    void an_event_for_which_no_thread_was_to_be_had_is_delivered_with_the_next_one() {
        List<TenureEvent> seen = new CopyOnWriteArrayList<>();
        AtomicInteger refusals = new AtomicInteger(1);
        Timeline.Background real = timeline.background("events");
        EventQueue queue = new EventQueue(seen::add, new Timeline.Background() {
            @Override
            public void execute(Runnable task) {
                if (refusals.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                real.execute(task);
            }

            @Override
            public boolean isCurrent() {
                return real.isCurrent();
            }

            @Override
            public void close() {
                real.close();
            }
        });

        queue.tell(event(0));
        queue.tell(event(1));

        await().atMost(Duration.ofSeconds(30)).until(() -> seen.size() == 2);
        assertThat(seen).isEqualTo(events(0, 2));
        queue.close();
    }

    @Test
    void an_observer_is_told_everything_in_order_on_one_thread_that_is_not_the_tellers() {
        List<TenureEvent> seen = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Events events = new Events(
                List.of(told -> {
                    seen.add(told);
                    threads.add(Thread.currentThread());
                }),
                timeline);

        events(0, 500).forEach(events::tell);
        awaitTold(seen, 500);

        assertThat(seen).isEqualTo(events(0, 500));
        assertThat(threads.stream().distinct()).hasSize(1).doesNotContain(Thread.currentThread());
        events.close();
    }

    @Test
    void what_an_observer_that_does_not_keep_up_misses_is_the_oldest_and_is_counted() throws InterruptedException {
        List<TenureEvent> seen = new CopyOnWriteArrayList<>();
        CountDownLatch inside = new CountDownLatch(1);
        Events events = new Events(List.of(stopping(seen, inside)), timeline);
        events.tell(event(0));
        inside.await();

        events(1, EventQueue.CAPACITY + 101).forEach(events::tell);
        gate.countDown();
        awaitTold(seen, EventQueue.CAPACITY + 2);

        assertThat(seen).hasSize(EventQueue.CAPACITY + 2);
        assertThat(seen.subList(0, 3)).containsExactly(event(0), new TenureEvent.EventsDropped(100), event(101));
        assertThat(seen.subList(2, seen.size())).isEqualTo(events(101, EventQueue.CAPACITY + 101));
        events.close();
    }

    @Test
    void a_full_queue_drops_nothing_yet() throws InterruptedException {
        List<TenureEvent> seen = new CopyOnWriteArrayList<>();
        CountDownLatch inside = new CountDownLatch(1);
        Events events = new Events(List.of(stopping(seen, inside)), timeline);
        events.tell(event(0));
        inside.await();

        events(1, EventQueue.CAPACITY + 1).forEach(events::tell);
        gate.countDown();
        awaitTold(seen, EventQueue.CAPACITY + 1);

        assertThat(seen).isEqualTo(events(0, EventQueue.CAPACITY + 1));
        events.close();
    }

    @Test
    void a_slow_observer_costs_no_other_observer_an_event() throws InterruptedException {
        List<TenureEvent> slow = new CopyOnWriteArrayList<>();
        List<TenureEvent> quick = new CopyOnWriteArrayList<>();
        CountDownLatch inside = new CountDownLatch(1);
        Events events = new Events(List.of(stopping(slow, inside), quick::add), timeline);
        events.tell(event(0));
        inside.await();

        events(1, 100).forEach(events::tell);

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(quick).isEqualTo(events(0, 100)));
        assertThat(slow).isEmpty();
        gate.countDown();
        awaitTold(slow, 100);
        assertThat(slow).isEqualTo(events(0, 100));
        events.close();
    }

    @Test
    void what_an_observer_throws_goes_to_its_threads_handler_and_the_next_event_is_delivered_all_the_same() {
        List<TenureEvent> seen = new CopyOnWriteArrayList<>();
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        IllegalStateException first = new IllegalStateException("an observer's own trouble");
        Events events = new Events(
                List.of(told -> {
                    Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
                    if (told.equals(event(0))) {
                        throw first;
                    }
                    if (told.equals(event(1))) {
                        throw new AssertionError("an observer's own error");
                    }
                    seen.add(told);
                }),
                timeline);

        events(0, 4).forEach(events::tell);
        awaitTold(seen, 2);

        assertThat(seen).isEqualTo(events(2, 4));
        assertThat(uncaught).hasSize(2).startsWith(first);
        events.close();
    }

    @Test
    void flushing_waits_for_an_observer_but_not_for_ever() {
        List<TenureEvent> seen = new CopyOnWriteArrayList<>();
        Events events = new Events(List.of(stopping(seen, new CountDownLatch(1))), timeline);
        events.tell(event(0));
        long before = System.nanoTime();

        events.flush();

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(30));
        assertThat(seen).isEmpty();
        gate.countDown();
        events.close();
    }

    @Test
    void flushing_on_an_interrupted_thread_keeps_the_interrupt() {
        Events events = new Events(List.of(told -> {}), timeline);
        Thread.currentThread().interrupt();

        events.flush();

        assertThat(Thread.interrupted()).isTrue();
        events.close();
    }

    @Test
    void flushing_from_inside_an_observer_does_not_wait_for_itself() throws Exception {
        AtomicReference<Events> self = new AtomicReference<>();
        CompletableFuture<Boolean> returned = new CompletableFuture<>();
        Events events = new Events(
                List.of(told -> {
                    boolean inside = self.get().isDelivering();
                    self.get().flush();
                    returned.complete(inside);
                }),
                timeline);
        self.set(events);
        assertThat(events.isDelivering()).isFalse();

        events.tell(event(0));

        assertThat(returned.get(30, TimeUnit.SECONDS)).isTrue();
        events.close();
    }

    @Test
    void flushing_waits_for_what_was_told_even_when_another_thread_is_about_to_deliver_it() throws Exception {
        List<TenureEvent> seen = new CopyOnWriteArrayList<>();
        DelayedBackground background = new DelayedBackground();
        EventQueue queue = new EventQueue(seen::add, background);
        Thread other = new Thread(() -> queue.tell(event(0)));
        other.start();
        background.delayed.await();

        queue.tell(event(1));
        CompletableFuture<Void> flushed = queue.flushed();
        background.runAll();

        assertThat(flushed).isCompleted();
        assertThat(seen).containsExactly(event(0), event(1));
        background.go.countDown();
        other.join();
        background.runAll();
        assertThat(seen).as("each once").hasSize(2);
    }

    @Test
    void telling_after_the_end_or_in_the_very_moment_of_it_is_silent() {
        List<TenureEvent> seen = new ArrayList<>();
        Events closed = new Events(List.of(seen::add), new ManualTimeline());
        closed.close();
        closed.tell(event(0));
        closed.flush();
        assertThat(seen).isEmpty();

        EventQueue closing = new EventQueue(seen::add, new RefusingBackground());
        closing.tell(event(0));
        assertThat(closing.flushed()).isCompleted();
        assertThat(seen).isEmpty();
    }

    /** Holds back the first hand-over on the thread that makes it, as a preempted thread would. */
    private static final class DelayedBackground implements Timeline.Background {
        private final CountDownLatch delayed = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);
        private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

        @Override
        public void execute(Runnable task) {
            if (delayed.getCount() > 0) {
                delayed.countDown();
                try {
                    assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            tasks.add(task);
        }

        void runAll() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }

        @Override
        public boolean isCurrent() {
            return false;
        }

        @Override
        public void close() {}
    }

    private static final class RefusingBackground implements Timeline.Background {
        @Override
        public void execute(Runnable task) {
            throw new RejectedExecutionException("closed a moment ago");
        }

        @Override
        public boolean isCurrent() {
            return false;
        }

        @Override
        public void close() {}
    }
}
