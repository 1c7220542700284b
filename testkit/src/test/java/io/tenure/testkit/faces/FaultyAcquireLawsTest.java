package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.TenureEvent.LockAcquired;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The laws of acquiring a lock, when the store fails, hangs, or answers late. */
class FaultyAcquireLawsTest extends FaceLaws {
    private static final StoreException TROUBLE = StoreException.passing("connection reset");
    private static final StoreException REFUSAL = StoreException.permanent("no permission: grant it");

    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }

    @Test
    void law03_a_lost_answer_to_an_attempt_costs_a_retry_and_no_token() throws Exception {
        String name = name();
        Instance instance = instance();
        instance.wire.next(Verb.ACQUIRE, Fault.failAfterwards(TROUBLE));
        Deed<Optional<HeldLock>> acquire =
                Deed.blocking(() -> instance.lock(name, locking()).tryAcquire(ttl()));
        long granted = found(name).orElseThrow().token();

        within(ttl(), "is acquired", acquire::isOver);

        assertThat(acquire.result().orElseThrow().token()).isEqualTo(granted);
        assertThat(instance.seen.of(LockAcquired.class)).hasSize(1);
    }

    @Test
    void law08_the_deadline_counts_from_the_sending_of_the_request_and_not_from_its_answer() {
        Instance instance = instance();
        Duration late = Duration.ofMillis(700);
        instance.wire.next(Verb.ACQUIRE, Fault.holdAnswer());
        CompletableFuture<Optional<HeldLock>> acquire =
                instance.lock(name(), locking()).tryAcquireAsync(ttl()).toCompletableFuture();

        elapse(late);
        instance.wire.deliverAll();
        HeldLock held = answer(acquire).orElseThrow();

        assertThat(held.remaining()).isEqualTo(ttl().minus(late));
    }

    @Test
    void law08_a_grant_that_arrives_after_its_deadline_is_none_and_is_given_back() {
        String name = name();
        Instance instance = instance();
        Duration ttl = Duration.ofMillis(200);
        instance.wire.next(Verb.ACQUIRE, Fault.holdAnswer());
        CompletableFuture<Optional<HeldLock>> acquire = instance.lock(name, LockOptions.ofTtl(ttl))
                .tryAcquireAsync(Duration.ZERO)
                .toCompletableFuture();

        elapse(ttl);
        instance.wire.deliverAll();

        assertThat(acquire).isCompletedExceptionally();
        assertThat(instance.seen.has(LockAcquired.class)).isFalse();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law17_a_wait_that_runs_out_during_an_attempt_gives_back_what_it_may_have_been_granted() {
        String name = name();
        Instance instance = instance();
        instance.wire.next(Verb.ACQUIRE, Fault.holdAnswer());
        CompletableFuture<Optional<HeldLock>> acquire = instance.lock(name, locking())
                .tryAcquireAsync(Duration.ofMillis(300))
                .toCompletableFuture();
        assertThat(found(name)).as("granted, but not known").isPresent();

        elapse(Duration.ofMillis(300));

        assertThatThrownBy(acquire::get).hasCauseInstanceOf(StoreException.class);
        assertThat(found(name)).isEmpty();
        instance.wire.deliverAll();
        assertThat(instance.seen.has(LockAcquired.class)).isFalse();
    }

    @Test
    void law17_an_interrupt_or_a_cancel_during_an_attempt_gives_back_what_may_have_been_granted() {
        String name = name();
        Instance instance = instance();
        LeaseLock lock = instance.lock(name, locking());
        instance.wire.next(Verb.ACQUIRE, Fault.holdAnswer(), Fault.holdAnswer());
        Deed<HeldLock> interrupted = Deed.blocking(lock::acquire);
        assertThat(found(name)).isPresent();
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        soon("given back", () -> found(name).isEmpty());

        CompletableFuture<Optional<HeldLock>> cancelled =
                lock.tryAcquireAsync(ttl()).toCompletableFuture();
        assertThat(found(name)).isPresent();
        cancelled.cancel(true);

        assertThat(found(name)).isEmpty();
        instance.wire.deliverAll();
        assertThat(found(name)).isEmpty();
        assertThat(instance.seen.has(LockAcquired.class)).isFalse();
    }

    @Test
    void law24_transient_trouble_is_retried_within_the_budget() {
        Instance instance = instance();
        instance.wire.nextTimes(3, Verb.ACQUIRE, Fault.fail(TROUBLE));
        CompletableFuture<Optional<HeldLock>> acquire =
                instance.lock(name(), locking()).tryAcquireAsync(ttl()).toCompletableFuture();

        elapse(ttl().minusMillis(1));

        assertThat(answer(acquire)).isPresent();
        assertThat(instance.seen.of(AttemptFailed.class)).hasSize(3);
    }

    @Test
    void law24_trouble_of_the_last_attempt_is_thrown_and_never_told_as_empty() {
        Instance instance = instance();
        instance.wire.always(Verb.ACQUIRE, Fault.fail(TROUBLE));
        LeaseLock lock = instance.lock(name(), locking());
        long start = stage().nanos();
        CompletableFuture<Optional<HeldLock>> acquire =
                lock.tryAcquireAsync(ttl()).toCompletableFuture();

        elapse(ttl().minusNanos(1));
        assertThat(acquire).isNotDone();
        elapse(Duration.ofNanos(1));

        assertThatThrownBy(acquire::get).hasCause(TROUBLE);
        assertThat(stage().nanos() - start).isEqualTo(ttl().toNanos());
        assertThatThrownBy(lock::tryAcquire).isSameAs(TROUBLE);
        assertThatThrownBy(() -> lock.runIfFree(held -> {})).isSameAs(TROUBLE);
    }

    @Test
    void law24_a_wait_ends_on_the_nanosecond_of_its_budget() {
        String name = name();
        instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        Duration budget = Duration.ofNanos(1_234_567_891);
        CompletableFuture<Optional<HeldLock>> acquire =
                instance().lock(name, locking()).tryAcquireAsync(budget).toCompletableFuture();

        elapse(budget.minusNanos(1));
        assertThat(acquire).isNotDone();
        elapse(Duration.ofNanos(1));

        assertThat(acquire).isCompletedWithValue(Optional.empty());
    }

    @Test
    void law24_a_refusal_is_thrown_at_once_whatever_the_budget() {
        Instance instance = instance();
        instance.wire.always(Verb.ACQUIRE, Fault.fail(REFUSAL));
        LeaseLock lock = instance.lock(name(), locking());

        assertThatThrownBy(lock::acquire).isSameAs(REFUSAL);
        assertThatThrownBy(() -> lock.tryAcquire(ttl())).isSameAs(REFUSAL);
        assertThatThrownBy(lock::tryAcquire).isSameAs(REFUSAL);
        assertThatThrownBy(() -> lock.run(held -> {})).isSameAs(REFUSAL);
        assertThat(lock.tryAcquireAsync(ttl()).toCompletableFuture()).isCompletedExceptionally();
    }
}
