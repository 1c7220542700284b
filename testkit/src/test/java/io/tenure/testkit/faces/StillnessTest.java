package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What is woken has gone on when all is still, whatever woke it. */
class StillnessTest {
    private final Stillness stillness = new Stillness();

    /** A thread that comes to rest, is woken, and is looked at before it can have got a processor. */
    private void goesOn(Callable<?> rest, Consumer<Thread> wake) {
        AtomicBoolean gone = new AtomicBoolean();
        Deed<Void> deed = Deed.blocking(() -> {
            try {
                rest.call();
            } catch (InterruptedException e) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
            gone.set(true);
            return null;
        });

        wake.accept(deed.thread());
        stillness.await();

        assertThat(gone).isTrue();
        deed.result();
    }

    @RepeatedTest(20)
    void whoever_waited_for_a_future_has_gone_on() {
        CompletableFuture<String> future = new CompletableFuture<>();
        goesOn(future::get, thread -> future.complete("here"));
    }

    @RepeatedTest(20)
    void whoever_waited_for_a_latch_has_gone_on() {
        CountDownLatch latch = new CountDownLatch(1);
        goesOn(
                () -> {
                    latch.await();
                    return true;
                },
                thread -> latch.countDown());
    }

    @RepeatedTest(20)
    void whoever_waited_for_a_permit_has_gone_on() {
        Semaphore permits = new Semaphore(0);
        goesOn(
                () -> {
                    permits.acquire();
                    return true;
                },
                thread -> permits.release());
    }

    @RepeatedTest(20)
    void whoever_was_interrupted_has_gone_on() {
        CompletableFuture<String> never = new CompletableFuture<>();
        goesOn(never::get, Thread::interrupt);
    }

    @Test
    void whoever_waits_for_what_has_not_come_is_not_waited_for_and_whoever_never_rests_only_once() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean end = new AtomicBoolean();
        Deed<Void> resting = Deed.blocking(() -> {
            never.await();
            return null;
        });
        Deed<Void> spinning = Deed.of(() -> {
            while (!end.get()) {
                Thread.onSpinWait();
            }
            return null;
        });
        stillness.await();

        long before = System.nanoTime();
        stillness.await();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
        assertThat(resting.isOver()).isFalse();
        assertThat(spinning.isOver()).isFalse();
        end.set(true);
        spinning.result();
        never.countDown();
        resting.result();
    }

    @Test
    void the_interrupt_of_whoever_waits_for_stillness_is_kept() {
        Thread.currentThread().interrupt();

        stillness.await();

        assertThat(Thread.interrupted()).isTrue();
    }
}
