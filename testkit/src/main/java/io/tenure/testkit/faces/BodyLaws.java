package io.tenure.testkit.faces;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.EndReason;
import io.tenure.Lease;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LockNotAcquiredException;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The laws of operations that run under a lock: {@code run}, {@code call}, {@code runIfFree} and {@code callIfFree}. */
public abstract class BodyLaws extends FaceLaws {
    /** For subclasses. */
    protected BodyLaws() {}

    @Test
    void law15_the_body_runs_on_the_callers_thread_under_the_lock_which_is_free_afterwards() {
        String name = name();
        LeaseLock lock = instance().lock(name, locking());
        AtomicReference<Lease> lease = new AtomicReference<>();

        lock.run(held -> {
            lease.set(held);
            assertThat(held.isHeld()).isTrue();
            assertThat(found(name).orElseThrow().token()).isEqualTo(held.token());
        });
        Thread by = lock.call(held -> Thread.currentThread());

        assertThat(by).isSameAs(Thread.currentThread());
        assertThat(requireNonNull(lease.get()).isHeld()).isFalse();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law15_a_body_may_return_a_value_or_nothing_at_all() throws Exception {
        LeaseLock lock = instance().lock(name(), locking());

        assertThat(lock.<String, RuntimeException>call(held -> "done")).isEqualTo("done");
        assertThat(lock.<String, RuntimeException>call(ttl(), held -> "waited")).isEqualTo("waited");
        assertThat(lock.<String, RuntimeException>callIfFree(held -> "free")).contains("free");
        assertThat(lock.runIfFree(held -> {})).isTrue();
    }

    @Test
    void law15_when_somebody_else_has_the_lock_the_body_does_not_run() {
        String name = name();
        instance().lock(name, locking()).tryAcquire().orElseThrow();
        LeaseLock lock = instance().lock(name, locking());
        AtomicInteger ran = new AtomicInteger();

        assertThat(lock.runIfFree(held -> ran.incrementAndGet())).isFalse();
        assertThat(lock.callIfFree(held -> ran.incrementAndGet())).isEmpty();
        assertThatThrownBy(() -> lock.run(held -> ran.incrementAndGet())).isInstanceOf(LockNotAcquiredException.class);
        assertThatThrownBy(() -> lock.call(held -> ran.incrementAndGet())).isInstanceOf(LockNotAcquiredException.class);
        Deed<Integer> waiting = Deed.blocking(() -> lock.call(ttl().dividedBy(5), held -> ran.incrementAndGet()));
        within(ttl().dividedBy(5), "gives up", waiting::isOver);
        assertThat(waiting.failure()).isInstanceOf(LockNotAcquiredException.class);
        assertThat(ran).hasValue(0);
    }

    @Test
    void law10_the_lock_is_renewed_while_the_body_runs() {
        String name = name();
        Instance instance = instance();
        LeaseLock lock = instance.lock(name, locking());
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Deed<Boolean> run = Deed.blocking(() -> lock.call(held -> {
            begun.countDown();
            mayEnd.await();
            return held.isHeld();
        }));
        soon("runs", () -> begun.getCount() == 0);

        elapse(ttl().multipliedBy(2));
        assertThat(found(name)).isPresent();
        mayEnd.countDown();

        assertThat(run.result()).isTrue();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law10_a_ttl_too_short_to_renew_is_refused_before_anything_is_asked() {
        Instance instance = instance();
        LeaseLock lock = instance.lock(name(), LockOptions.ofTtl(LockOptions.MIN_RENEWED_TTL.minusMillis(1)));

        assertThatThrownBy(() -> lock.run(held -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too short to renew");
        assertThatThrownBy(() -> lock.callIfFree(held -> 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(instance.wire.calls()).isEmpty();
    }

    @Test
    void law15_what_the_body_throws_is_thrown_and_the_lock_is_released() {
        String name = name();
        LeaseLock lock = instance().lock(name, locking());
        IOException checked = new IOException("disk full");
        Error error = new StackOverflowError("deep");

        assertThatThrownBy(() -> lock.run(held -> {
                    throw checked;
                }))
                .isSameAs(checked)
                .hasNoSuppressedExceptions();
        assertThat(found(name)).isEmpty();
        assertThatThrownBy(() -> lock.callIfFree(held -> {
                    throw error;
                }))
                .isSameAs(error)
                .hasNoSuppressedExceptions();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law15_a_lost_lease_is_thrown_although_the_body_succeeded() {
        String name = name();
        LeaseLock lock = instance().lock(name, locking().signalOnly());

        assertThatThrownBy(() -> lock.call(held -> {
                    evict(name);
                    return "done";
                }))
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.FORCED));
        assertThatThrownBy(() -> lock.runIfFree(held -> evict(name))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void law15_a_lost_lease_is_suppressed_in_what_the_body_threw() {
        String name = name();
        LeaseLock lock = instance().lock(name, locking().signalOnly());
        IOException failure = new IOException("disk full");

        assertThatThrownBy(() -> lock.run(held -> {
                    evict(name);
                    throw failure;
                }))
                .isSameAs(failure)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasSize(1).allMatch(LeaseLostException.class::isInstance));
    }

    @Test
    void law15_a_failed_release_is_thrown_or_suppressed_in_what_the_body_threw() {
        Instance instance = instance();
        LeaseLock lock = instance.lock(name(), locking());
        StoreException trouble = StoreException.permanent("may not publish");
        IOException failure = new IOException("disk full");
        instance.wire.next(Verb.RELEASE, Fault.failAfterwards(trouble), Fault.failAfterwards(trouble));

        assertThatThrownBy(() -> lock.run(held -> {})).isSameAs(trouble);
        assertThatThrownBy(() -> lock.run(held -> {
                    throw failure;
                }))
                .isSameAs(failure)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).containsExactly(trouble));
    }

    @Test
    void law15_a_lock_is_released_on_an_interrupted_thread_and_the_interrupt_is_kept() {
        String name = name();
        LeaseLock lock = instance().lock(name, locking());

        Deed<Object> run = Deed.of(() -> lock.call(held -> {
            Thread.currentThread().interrupt();
            return "done";
        }));

        assertThat(run.result()).isEqualTo("done");
        assertThat(run.wasInterruptedAtTheEnd()).isTrue();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law14_the_users_interrupt_before_the_body_is_kept_through_it() {
        String name = name();
        LeaseLock lock = instance().lock(name, locking());

        Deed<Boolean> run = Deed.of(() -> {
            Thread.currentThread().interrupt();
            return lock.call(held -> Thread.currentThread().isInterrupted());
        });

        assertThat(run.result()).isTrue();
        assertThat(run.wasInterruptedAtTheEnd()).isTrue();
    }

    @Test
    void law14_the_users_interrupt_of_a_body_that_rethrows_it_is_thrown_without_a_loss() {
        String name = name();
        Body body = new Body(name, Body.Way.RETHROWS);

        body.run.interrupt();

        assertThat(body.run.failure()).isInstanceOf(InterruptedException.class).hasNoSuppressedExceptions();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law12_a_body_that_loses_its_lock_is_interrupted_and_the_loss_is_thrown() {
        String name = name();
        Body body = new Body(name, Body.Way.RETHROWS);

        evict(name);
        within(ttl().dividedBy(2), "the body ends", body.run::isOver);

        assertThat(body.run.failure())
                .isInstanceOf(LeaseLostException.class)
                .satisfies(lost ->
                        assertThat(lost.getSuppressed()).hasSize(1).allMatch(InterruptedException.class::isInstance));
        assertThat(body.run.wasInterruptedAtTheEnd()).as("ours does not leak").isFalse();
    }

    @Test
    void law14_our_interrupt_does_not_leak_from_a_body_that_swallows_it() {
        String name = name();
        Body body = new Body(name, Body.Way.SWALLOWS);

        evict(name);
        within(ttl().dividedBy(2), "the body ends", body.run::isOver);

        assertThat(body.run.failure()).isInstanceOf(LeaseLostException.class);
        assertThat(body.run.wasInterruptedAtTheEnd()).isFalse();
    }

    @Test
    void law14_our_interrupt_does_not_leak_from_a_body_that_ignores_it() {
        String name = name();
        Body body = new Body(name, Body.Way.IGNORES);

        evict(name);
        within(ttl().dividedBy(2), "the body ends", body.run::isOver);

        assertThat(body.run.failure()).isInstanceOf(LeaseLostException.class);
        assertThat(body.run.wasInterruptedAtTheEnd()).isFalse();
    }

    @Test
    void law14_our_interrupt_does_not_leak_from_a_body_that_restores_the_flag() {
        String name = name();
        Body body = new Body(name, Body.Way.RESTORES);

        evict(name);
        within(ttl().dividedBy(2), "the body ends", body.run::isOver);

        assertThat(body.run.failure()).isInstanceOf(LeaseLostException.class);
        assertThat(body.run.wasInterruptedAtTheEnd()).isFalse();
    }

    @Test
    void law14_the_users_interrupt_that_came_before_ours_is_kept() {
        String name = name();
        Body body = new Body(name, Body.Way.IGNORES);

        body.run.interrupt();
        evict(name);
        within(ttl().dividedBy(2), "the body ends", body.run::isOver);

        assertThat(body.run.failure()).isInstanceOf(LeaseLostException.class);
        assertThat(body.run.wasInterruptedAtTheEnd()).isTrue();
    }

    @Test
    void law12_a_signal_only_body_is_not_interrupted() {
        String name = name();
        LeaseLock lock = instance().lock(name, locking().signalOnly());
        CountDownLatch begun = new CountDownLatch(1);
        Deed<Boolean> run = Deed.of(() -> lock.call(held -> {
            begun.countDown();
            while (held.isHeld()) {
                Thread.onSpinWait();
            }
            return answer(held.ended().toCompletableFuture()) == EndReason.FORCED;
        }));
        soon("runs", () -> begun.getCount() == 0);

        evict(name);
        within(ttl().dividedBy(2), "the body ends", run::isOver);

        assertThat(run.failure()).isInstanceOf(LeaseLostException.class);
        assertThat(run.wasInterruptedAtTheEnd()).isFalse();
    }

    /** A body that runs under a lock until it is interrupted, and then does one of the things that bodies do. */
    private final class Body {
        private final Deed<Object> run;

        private enum Way {
            RETHROWS,
            SWALLOWS,
            IGNORES,
            RESTORES
        }

        Body(String name, Way way) {
            LeaseLock lock = instance().lock(name, locking());
            CountDownLatch begun = new CountDownLatch(1);
            run = Deed.of(() -> lock.call(held -> {
                begun.countDown();
                if (way == Way.IGNORES) {
                    while (held.isHeld()) {
                        Thread.onSpinWait();
                    }
                    answerUninterruptibly(held);
                    return "ignored";
                }
                try {
                    new CountDownLatch(1).await();
                    return "never";
                } catch (InterruptedException e) {
                    if (way == Way.RETHROWS) {
                        throw e;
                    }
                    if (way == Way.RESTORES) {
                        Thread.currentThread().interrupt();
                    }
                    return "swallowed";
                }
            }));
            soon("the body runs", () -> begun.getCount() == 0);
        }

        /** Waits until the end of the lease has been told, and the interrupt, if any, has been sent. */
        private void answerUninterruptibly(Lease held) {
            while (!held.ended().toCompletableFuture().isDone()
                    || !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }
    }
}
