package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private static final int MESSAGES = 50_000;

    private record Message(int poster, int number) {}

    @Test
    void messages_of_two_hammering_posters_are_handled_one_at_a_time_each_once_and_in_the_order_of_their_poster()
            throws InterruptedException {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<Message> handled = new ArrayList<>(); // unsynchronised on purpose: the mailbox has to order the handlers
        Mailbox<Message> mailbox = new Mailbox<>(message -> {
            if (inside.incrementAndGet() != 1) {
                overlaps.incrementAndGet();
            }
            handled.add(message);
            inside.decrementAndGet();
        });
        CountDownLatch start = new CountDownLatch(1);

        List<Thread> posters = new ArrayList<>();
        for (int poster = 0; poster < 2; poster++) {
            int id = poster;
            posters.add(started(() -> {
                start.await();
                for (int number = 0; number < MESSAGES; number++) {
                    mailbox.post(new Message(id, number));
                }
            }));
        }
        start.countDown();
        for (Thread poster : posters) {
            poster.join();
        }

        assertThat(overlaps).hasValue(0);
        assertThat(handled).hasSize(2 * MESSAGES);
        for (int poster = 0; poster < 2; poster++) {
            int id = poster;
            List<Integer> numbers = handled.stream()
                    .filter(each -> each.poster == id)
                    .map(Message::number)
                    .toList();
            for (int i = 0; i < MESSAGES; i++) {
                assertThat(numbers.get(i)).isEqualTo(i);
            }
        }
    }

    @Test
    void a_message_is_handled_by_the_thread_that_posts_it_without_a_hop() {
        AtomicReference<Thread> handler = new AtomicReference<>();
        Mailbox<String> mailbox = new Mailbox<>(message -> handler.set(Thread.currentThread()));

        mailbox.post("a");

        assertThat(handler).hasValue(Thread.currentThread());
    }

    @Test
    void a_message_that_is_posted_by_a_handler_waits_until_that_handler_is_done() {
        List<String> log = new ArrayList<>();
        AtomicReference<Mailbox<Integer>> self = new AtomicReference<>();
        Mailbox<Integer> mailbox = new Mailbox<>(depth -> {
            log.add("begin " + depth);
            if (depth < 3) {
                self.get().post(depth + 1);
                self.get().post(depth + 10);
            }
            log.add("end " + depth);
        });
        self.set(mailbox);

        mailbox.post(1);

        assertThat(log)
                .containsExactly(
                        "begin 1",
                        "end 1",
                        "begin 2",
                        "end 2",
                        "begin 11",
                        "end 11",
                        "begin 3",
                        "end 3",
                        "begin 12",
                        "end 12");
    }

    @Test
    void whoever_posts_while_another_thread_handles_does_not_wait_for_it() throws InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> handled = new ArrayList<>();
        List<Thread> handlers = new ArrayList<>();
        Mailbox<String> mailbox = new Mailbox<>(message -> {
            handled.add(message);
            handlers.add(Thread.currentThread());
            handling.countDown();
            awaitUnchecked(go);
        });
        Thread first = started(() -> mailbox.post("slow"));
        handling.await();

        mailbox.post("quick"); // returns although the first handler has not
        assertThat(handled).containsExactly("slow");
        go.countDown();
        first.join();

        assertThat(handled).containsExactly("slow", "quick");
        assertThat(handlers).containsOnly(first);
    }

    @Test
    void a_handler_that_throws_stops_neither_the_messages_behind_it_nor_its_poster() throws InterruptedException {
        List<Object> log = new ArrayList<>();
        AtomicReference<Mailbox<Integer>> self = new AtomicReference<>();
        Mailbox<Integer> mailbox = new Mailbox<>(message -> {
            if (message == 1) {
                self.get().post(2);
                self.get().post(3);
                throw new IllegalStateException("first");
            }
            if (message == 2) {
                throw new AssertionError("second");
            }
            log.add(message);
        });
        self.set(mailbox);
        Thread poster = new Thread(() -> {
            mailbox.post(1);
            log.add("returned");
            mailbox.post(4);
        });
        poster.setUncaughtExceptionHandler((thread, failure) -> log.add(failure.getMessage()));

        poster.start();
        poster.join();

        assertThat(log).containsExactly("first", "second", 3, "returned", 4);
    }

    private interface Task {
        void run() throws InterruptedException;
    }

    private static Thread started(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
