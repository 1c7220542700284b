package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockNotAcquiredException;
import io.tenure.LockOptions;
import io.tenure.TenureEvent.LockAcquired;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The laws of waiting for a lock. */
public abstract class WaitLaws extends FaceLaws {
    /** For subclasses. */
    protected WaitLaws() {}

    private Duration moment() {
        return ttl().dividedBy(5);
    }

    @Test
    void law17_an_interrupted_wait_throws_and_leaves_nothing_behind() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();
        Instance waiting = instance();
        LeaseLock lock = waiting.lock(name, locking());
        Deed<HeldLock> acquire = Deed.blocking(lock::acquire);

        acquire.interrupt();
        assertThat(acquire.failure()).isInstanceOf(InterruptedException.class);
        assertThat(acquire.wasInterruptedAtTheEnd())
                .as("the interrupt became the exception")
                .isFalse();
        held.release();
        elapse(moment());

        assertThat(found(name)).isEmpty();
        assertThat(waiting.seen.has(LockAcquired.class)).isFalse();
        assertThat(lock.tryAcquire()).as("no waiter is left in the way").isPresent();
    }

    @Test
    void law17_a_wait_on_an_interrupted_thread_throws_without_asking() {
        String name = name();
        Instance instance = instance();
        LeaseLock lock = instance.lock(name, locking());

        Deed<Object> timed = Deed.of(() -> {
            Thread.currentThread().interrupt();
            return lock.tryAcquire(moment());
        });
        Deed<Object> endless = Deed.of(() -> {
            Thread.currentThread().interrupt();
            return lock.acquire();
        });

        assertThat(timed.failure()).isInstanceOf(InterruptedException.class);
        assertThat(endless.failure()).isInstanceOf(InterruptedException.class);
        assertThat(found(name)).isEmpty();
        assertThat(instance.wire.calls()).isEmpty();
    }

    @Test
    void law17_one_attempt_keeps_the_callers_interrupt() {
        LeaseLock lock = instance().lock(name(), locking());

        Deed<Boolean> attempt = Deed.of(() -> {
            Thread.currentThread().interrupt();
            return lock.tryAcquire().isPresent();
        });

        assertThat(attempt.result()).isTrue();
        assertThat(attempt.wasInterruptedAtTheEnd()).isTrue();
    }

    @Test
    void law17_a_cancelled_wait_leaves_nothing_behind() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();
        Instance waiting = instance();
        LeaseLock lock = waiting.lock(name, locking());
        CompletableFuture<Optional<HeldLock>> acquire =
                lock.tryAcquireAsync(ttl().multipliedBy(2)).toCompletableFuture();

        acquire.cancel(false);
        held.release();
        elapse(moment());

        assertThat(found(name)).isEmpty();
        assertThat(waiting.seen.has(LockAcquired.class)).isFalse();
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void law17_a_wait_whose_future_was_completed_by_its_user_leaves_nothing_behind() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();
        Instance waiting = instance();
        LeaseLock lock = waiting.lock(name, locking());
        CompletableFuture<Optional<HeldLock>> acquire =
                lock.tryAcquireAsync(ttl().multipliedBy(2)).toCompletableFuture();
        soon("has asked", () -> waiting.askers() == 1);

        acquire.completeExceptionally(new TimeoutException("as orTimeout does"));

        soon("nobody stands in the way of asking", () -> lock.tryAcquire().isEmpty() && waiting.askers() > 1);
        held.release();
        elapse(moment());
        assertThat(found(name)).isEmpty();
        assertThat(waiting.seen.has(LockAcquired.class)).isFalse();
    }

    @Test
    void law18_a_lock_may_be_released_inside_the_callback_that_tells_of_it() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();
        LeaseLock lock = instance().lock(name, locking());
        CompletableFuture<Void> used = lock.tryAcquireAsync(ttl().multipliedBy(2))
                .thenAccept(acquired -> acquired.orElseThrow().release())
                .toCompletableFuture();

        Deed.of(() -> {
                    held.release();
                    return null;
                })
                .result();
        within(moment(), "has been used", used::isDone);

        assertThat(used).isCompleted();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law20_a_waiter_is_served_by_the_expiry_and_not_before() {
        String name = name();
        Duration ttl = moment().multipliedBy(2);
        long start = stage().nanos();
        HeldLock held =
                instance().lock(name, LockOptions.ofTtl(ttl)).tryAcquire().orElseThrow();
        Deed<HeldLock> acquire = Deed.blocking(instance().lock(name, locking().retryEvery(ttl()))::acquire);

        within(ttl.plusMillis(20), "is served", acquire::isOver);

        assertThat(Duration.ofNanos(stage().nanos() - start)).isGreaterThanOrEqualTo(ttl.minus(CLOCKS));
        assertThat(acquire.result().token()).isGreaterThan(held.token());
        assertThat(held.isHeld()).isFalse();
    }

    @Test
    void law20_a_waiter_that_no_push_reaches_finds_out_by_polling() {
        String name = name();
        HeldLock held = instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        Instance deaf = instance();
        deaf.wire.breakPushes();
        Deed<HeldLock> acquire = Deed.blocking(deaf.lock(name, locking().retryEvery(moment()))::acquire);
        elapse(moment().dividedBy(2));

        held.release();

        within(moment(), "is served", acquire::isOver);
        assertThat(acquire.result().isHeld()).isTrue();
    }

    @Test
    void law22_local_waiters_are_served_in_order_and_only_the_first_asks_the_store() {
        String name = name();
        HeldLock held = instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        Instance crowd = instance();
        LeaseLock lock = crowd.lock(name, locking());
        List<Deed<HeldLock>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(Deed.blocking(lock::acquire));
        }
        soon("the first has asked", () -> crowd.askers() > 0);
        assertThat(crowd.askers()).as("the others have not").isEqualTo(1);

        for (Deed<HeldLock> next : waiters) {
            held.release();
            within(moment(), "the next is served", next::isOver);
            assertThat(waiters.stream().filter(Deed::isOver)).hasSize(waiters.indexOf(next) + 1);
            held = next.result();
        }
    }

    @Test
    void law22_every_local_waiter_has_a_budget_of_its_own() {
        String name = name();
        instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        LeaseLock lock = instance().lock(name, locking());
        Deed<Optional<HeldLock>> patient = Deed.blocking(() -> lock.tryAcquire(moment().multipliedBy(3)));
        Deed<Optional<HeldLock>> hasty = Deed.blocking(() -> lock.tryAcquire(moment()));

        within(moment(), "the second gives up first", hasty::isOver);
        assertThat(hasty.result()).isEmpty();
        assertThat(patient.isOver()).isFalse();
        within(moment().multipliedBy(2), "then the first", patient::isOver);
        assertThat(patient.result()).isEmpty();
    }

    @Test
    void law22_when_the_first_local_waiter_leaves_the_next_one_asks_at_once() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();
        Instance crowd = instance();
        LeaseLock lock = crowd.lock(name, locking().retryEvery(ttl().multipliedBy(10)));
        Deed<HeldLock> first = Deed.blocking(lock::acquire);
        Deed<HeldLock> second = Deed.blocking(lock::acquire);
        soon("the first has asked", () -> crowd.askers() == 1);

        first.interrupt();
        assertThat(first.failure()).isInstanceOf(InterruptedException.class);
        soon("the second asks", () -> crowd.askers() == 2);

        held.release();
        within(moment(), "and is served", second::isOver);
    }

    @Test
    void law22_one_attempt_behind_local_waiters_is_empty_at_once() throws Exception {
        String name = name();
        HeldLock held = instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        Instance crowd = instance();
        LeaseLock lock = crowd.lock(name, locking());
        Deed<HeldLock> first = Deed.blocking(lock::acquire);
        soon("has asked", () -> crowd.askers() == 1);

        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(answer(lock.tryAcquireAsync(Duration.ZERO).toCompletableFuture()))
                .isEmpty();
        assertThat(lock.runIfFree(lease -> {})).isFalse();
        assertThatThrownBy(() -> lock.run(lease -> {}))
                .isInstanceOfSatisfying(
                        LockNotAcquiredException.class,
                        denied -> assertThat(denied.current()).isEmpty());
        assertThat(crowd.askers()).as("none of them asked the store").isEqualTo(1);
        held.release();
        within(moment(), "the waiter is served", first::isOver);
    }

    @Test
    void law24_a_wait_ends_empty_when_its_budget_is_used_up_and_not_before() {
        String name = name();
        instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        LeaseLock lock = instance().lock(name, locking());
        Duration budget = moment().plusMillis(7);
        long start = stage().nanos();
        Deed<Long> waiting = Deed.blocking(() -> {
            assertThat(lock.tryAcquire(budget)).isEmpty();
            return stage().nanos();
        });

        within(budget, "gives up", waiting::isOver);

        Duration waited = Duration.ofNanos(waiting.result() - start);
        assertThat(waited).isGreaterThanOrEqualTo(budget).isLessThan(budget.plus(Patience.FOR_THREADS));
        assertThat(lock.tryAcquire()).isEmpty();
    }

    @Test
    void law24_a_budget_counts_for_asynchronous_waits_too() {
        String name = name();
        instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        LeaseLock lock = instance().lock(name, locking());
        long start = stage().nanos();
        CompletableFuture<Optional<HeldLock>> acquire =
                lock.tryAcquireAsync(moment()).toCompletableFuture();

        within(moment(), "gives up", acquire::isDone);

        assertThat(Duration.ofNanos(stage().nanos() - start)).isGreaterThanOrEqualTo(moment());
        assertThat(answer(acquire)).isEmpty();
    }

    @Test
    void law24_a_free_lock_needs_no_budget_and_a_negative_one_is_refused() throws Exception {
        LeaseLock lock = instance().lock(name(), locking());

        HeldLock held = lock.tryAcquire(Duration.ZERO).orElseThrow();

        assertThat(held.isHeld()).isTrue();
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("negative");
        assertThatThrownBy(() -> lock.tryAcquireAsync(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        held.release();
        HeldLock endless = lock.tryAcquire(Duration.ofSeconds(Long.MAX_VALUE)).orElseThrow();
        assertThat(endless.isHeld()).isTrue();
    }
}
