package io.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
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
}
