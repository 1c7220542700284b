package io.tenure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Law 14: our interrupt never leaks, the user's is never swallowed. */
class BodyGuardTest {
    private static final Object NOTHING = new Object();

    private final BodyGuard guard = new BodyGuard();

    @AfterEach
    void leaveNoInterruptBehind() {
        Thread.interrupted();
    }

    @Test
    void law14_our_interrupt_reaches_the_body_and_does_not_leak_out_of_its_scope() {
        guard.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();

        assertThat(guard.end(NOTHING)).isFalse();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void law14_our_interrupt_does_not_leak_when_the_body_throws_something_else() {
        guard.interrupt();

        assertThat(guard.end(new IllegalStateException())).isFalse();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void law14_an_interrupted_exception_that_we_caused_is_known_for_ours() throws InterruptedException {
        guard.interrupt();
        InterruptedException thrown = caught();

        assertThat(guard.end(thrown)).isTrue();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void law14_the_users_interrupt_is_kept_when_we_have_none() {
        Thread.currentThread().interrupt();

        assertThat(guard.end(NOTHING)).isFalse();

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void law14_the_users_interrupt_that_came_before_ours_is_kept() {
        Thread.currentThread().interrupt();
        guard.interrupt();

        assertThat(guard.end(NOTHING)).isFalse();

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void law14_the_users_interrupted_exception_is_the_users() throws InterruptedException {
        Thread.currentThread().interrupt();
        InterruptedException thrown = caught();

        assertThat(guard.end(thrown)).isFalse();

        BodyGuard other = new BodyGuard();
        Thread.currentThread().interrupt();
        other.interrupt();
        assertThat(other.end(caught())).as("theirs was first").isFalse();
    }

    @Test
    void law14_the_users_interrupt_that_comes_after_ours_was_consumed_is_kept() throws InterruptedException {
        guard.interrupt();
        InterruptedException thrown = caught();
        Thread.currentThread().interrupt();

        assertThat(guard.end(thrown)).isTrue();

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void law14_after_the_scope_nobody_is_interrupted_any_more() {
        guard.end(NOTHING);

        guard.interrupt();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void law14_it_interrupts_once() throws InterruptedException {
        guard.interrupt();
        caught();

        guard.interrupt();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        guard.end(NOTHING);
    }

    @Test
    void law14_another_thread_interrupts_the_one_that_made_the_guard() throws InterruptedException {
        Thread other = new Thread(guard::interrupt);
        other.start();

        InterruptedException thrown = caught();
        other.join();

        assertThat(guard.end(thrown)).isTrue();
    }

    @Test
    void law14_an_interrupt_that_races_with_the_end_of_the_scope_never_leaks() throws InterruptedException {
        for (int round = 0; round < 5_000; round++) {
            BodyGuard racing = new BodyGuard();
            CountDownLatch start = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                start.countDown();
                racing.interrupt();
            });
            other.start();
            boolean started = false;
            while (!started) {
                Thread.yield(); // on a busy machine the other one may need this processor to start at all
                started = start.getCount() == 0;
            }
            racing.end(NOTHING);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            other.join();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    /** What a blocking call throws on this interrupted thread, or once it is. */
    private static InterruptedException caught() throws InterruptedException {
        try {
            assertThat(new CountDownLatch(1).await(60, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
            throw new AssertionError("nobody interrupted");
        } catch (InterruptedException e) {
            return e;
        }
    }
}
