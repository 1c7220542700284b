package io.tenure;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InProcessFenceTest {
    private final InProcessFence fence = new InProcessFence("n");

    @Test
    void law25_it_admits_whatever_comes_first_then_nothing_lower() {
        assertThat(fence.mark()).isZero();
        fence.admit(5);
        fence.admit(5);
        fence.admit(9);

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> fence.admit(8))
                .satisfies(stale -> {
                    assertThat(stale.name()).isEqualTo("n");
                    assertThat(stale.token()).isEqualTo(8);
                    assertThat(stale.mark()).isEqualTo(9);
                });
        assertThat(fence.mark()).isEqualTo(9);
    }

    @Test
    void law26_a_claim_refuses_predecessors_from_that_moment() {
        fence.admit(5);

        fence.claim(6);

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.admit(5));
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.claim(5));
        fence.claim(6);
        fence.admit(6);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE})
    void law25_what_no_store_can_have_minted_is_refused_and_moves_nothing(long token) {
        fence.admit(5);

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.admit(token));
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.claim(token));

        assertThat(fence.mark()).isEqualTo(5);
    }

    @Test
    void law25_the_bounds_are_admitted() {
        fence.admit(1);
        fence.admit((1L << 53) - 1);

        assertThat(fence.mark()).isEqualTo((1L << 53) - 1);
    }

    @Test
    void law25_a_write_runs_under_a_token_that_nothing_passed_and_no_other() {
        List<String> writes = new ArrayList<>();
        fence.run(5, () -> writes.add("old"));
        fence.claim(6);

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.run(5, () -> writes.add("late")));
        assertThat(fence.<String>call(6, () -> "answer")).isEqualTo("answer");

        assertThat(writes).containsExactly("old");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE})
    void law25_no_write_runs_under_a_number_that_no_store_can_have_minted(long token) {
        List<String> writes = new ArrayList<>();

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.run(token, () -> writes.add("x")));

        assertThat(writes).isEmpty();
        assertThat(fence.mark()).isZero();
    }

    @Test
    void law25_the_mark_moves_only_after_the_write_succeeded() {
        fence.admit(5);
        List<Long> marks = new ArrayList<>();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> fence.run(7, () -> {
                    throw new IllegalStateException("disk full");
                }))
                .withMessage("disk full");
        fence.run(6, () -> marks.add(fence.mark()));

        assertThat(marks).containsExactly(5L);
        assertThat(fence.mark()).isEqualTo(6);
    }

    @Test
    void law25_a_write_that_admits_a_higher_token_does_not_lower_the_mark() {
        fence.run(5, () -> fence.claim(6));

        assertThat(fence.mark()).isEqualTo(6);
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.run(5, () -> {}));
    }

    @Test
    void law26_a_claim_waits_for_the_write_under_way_and_refuses_the_next() throws InterruptedException {
        Write write = new Write(5);
        Thread successor = new Thread(() -> {
            fence.claim(6);
            write.steps.add("claimed");
        });
        successor.start();
        awaitWaiting(successor);
        assertThat(fence.mark()).as("nothing is claimed meanwhile").isZero();

        write.finish();
        successor.join();

        assertThat(write.steps).containsExactly("begun", "ended", "claimed");
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> fence.run(5, () -> {}));
    }

    @Test
    void law26_a_claim_that_is_interrupted_while_it_waits_claims_nothing() throws InterruptedException {
        Write write = new Write(5);
        List<Object> ends = new ArrayList<>();
        Thread successor = new Thread(() -> {
            try {
                fence.claim(6);
            } catch (StoreException e) {
                ends.add(e.isTransient());
                ends.add(Thread.currentThread().isInterrupted());
            }
        });
        successor.start();
        awaitWaiting(successor);

        successor.interrupt();
        successor.join();
        write.finish();

        assertThat(ends).as("transient, and still interrupted").containsExactly(true, true);
        assertThat(fence.mark()).isEqualTo(5);
    }

    @Test
    void law26_a_claim_that_need_not_wait_is_made_on_an_interrupted_thread_too() {
        Thread.currentThread().interrupt();

        fence.claim(6);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(fence.mark()).isEqualTo(6);
    }

    @Test
    void law25_a_fence_that_stands_where_another_one_stood_refuses_what_that_one_refused() {
        fence.admit(9);

        InProcessFence restarted = InProcessFence.standingAt("n", fence.mark());

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> restarted.admit(8));
        restarted.admit(9);
        assertThat(InProcessFence.standingAt("n", 0).mark()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1L << 53})
    void law25_no_fence_stands_where_no_token_can_be(long mark) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InProcessFence.standingAt("shipping", mark))
                .withMessageContainingAll("shipping", Long.toString(mark));
    }

    @Test
    void law25_writes_and_claims_that_meet_run_one_after_the_other_in_the_order_of_tokens()
            throws InterruptedException {
        List<Long> written = new ArrayList<>(); // unguarded on purpose: the fence is its lock
        ConcurrentLinkedQueue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int id = 0; id < 4; id++) {
            int offset = id;
            Thread thread = new Thread(() -> {
                for (long token = 1 + offset; token < 20_000; token += 4) {
                    long own = token;
                    try {
                        if (own % 3 == 0) {
                            fence.claim(own);
                        }
                        fence.run(own, () -> written.add(own));
                    } catch (StaleTokenException stale) {
                        if (stale.mark() <= own) {
                            unexpected.add(stale);
                        }
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(unexpected).isEmpty();
        assertThat(written).isNotEmpty().isSorted().last().isEqualTo(19_999L);
    }

    @Test
    void law25_concurrent_tokens_are_admitted_only_while_they_are_the_highest() throws InterruptedException {
        ConcurrentLinkedQueue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int id = 0; id < 4; id++) {
            int offset = id;
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    unexpected.add(e);
                }
                for (long token = 1 + offset; token < 40_000; token += 4) {
                    try {
                        fence.admit(token);
                    } catch (StaleTokenException stale) {
                        if (stale.mark() <= token) {
                            unexpected.add(stale);
                        }
                    }
                    if (fence.mark() < token) {
                        unexpected.add(new AssertionError("the mark is below " + token));
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(unexpected).isEmpty();
        assertThat(fence.mark()).isEqualTo(39_999);
    }

    private static void awaitWaiting(Thread thread) {
        await().atMost(20, SECONDS).until(() -> thread.getState() == Thread.State.WAITING);
    }

    /** A write that is under way until it is told to end. */
    private final class Write {
        private final List<String> steps = new CopyOnWriteArrayList<>();
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final Thread writer;

        Write(long token) throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(1);
            writer = new Thread(() -> fence.run(token, () -> {
                steps.add("begun");
                begun.countDown();
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                steps.add("ended");
            }));
            writer.start();
            begun.await();
        }

        void finish() throws InterruptedException {
            mayEnd.countDown();
            writer.join();
        }
    }
}
