package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.LockAcquired;
import io.tenure.TenureEvent.ReleaseFailed;
import io.tenure.Term;
import io.tenure.Timeline;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The laws of locks when the store fails, hangs, or answers late. */
class FaultyLockLawsTest extends FaceLaws {
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
    void law09_a_lock_is_not_held_at_the_first_look_after_its_deadline_before_any_timer_ran() {
        ManualTimeline time = new ManualTimeline();
        Lagging lagging = new Lagging(time);
        Instance instance = instance(MemoryLeaseStore.on(lagging), builder -> builder.timeline(lagging));
        HeldLock held = instance.lock(name(), locking().renewed()).tryAcquire().orElseThrow();

        lagging.stopFor(ttl().minusNanos(1));
        assertThat(held.isHeld()).isTrue();
        lagging.stopFor(Duration.ofNanos(1));

        assertThat(held.isHeld()).isFalse();
        assertThat(held.remaining()).isZero();
        assertThatThrownBy(held::requireHeld)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.EXPIRED));
        assertThatThrownBy(held::refresh).isInstanceOf(LeaseLostException.class);
        assertThat(held.ended().toCompletableFuture())
                .as("nobody has noticed yet")
                .isNotDone();
        assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void law09_a_role_is_not_led_at_the_first_look_after_its_deadline_before_any_timer_ran() {
        ManualTimeline time = new ManualTimeline();
        Lagging lagging = new Lagging(time);
        Instance instance = instance(MemoryLeaseStore.on(lagging), builder -> builder.timeline(lagging));
        Elector elector = instance.elector(name(), election());
        Candidacy candidacy = elector.campaign();
        assertThat(elector.isLeader()).isTrue();
        Term term = elector.term().orElseThrow();

        lagging.stopFor(ttl());

        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.token()).isEmpty();
        assertThat(elector.term()).isEmpty();
        assertThat(term.isHeld()).isFalse();
        assertThat(term.ended().toCompletableFuture()).isNotDone();
        candidacy.close();
        assertThat(answer(term.ended().toCompletableFuture())).isEqualTo(EndReason.EXPIRED);
    }

    /** Time as a process sees it that is stopped and resumed: the clock has moved, and no timer has run. */
    private static final class Lagging implements Timeline {
        private final ManualTimeline time;
        private volatile long stopped;

        Lagging(ManualTimeline time) {
            this.time = time;
        }

        void stopFor(Duration span) {
            stopped += span.toNanos();
        }

        @Override
        public long nanos() {
            return time.nanos() + stopped;
        }

        @Override
        public Timer schedule(long at, long slack, Runnable task) {
            return time.schedule(at - stopped, slack, task);
        }

        @Override
        public Background background(String name) {
            return time.background(name);
        }

        @Override
        public void await(java.util.concurrent.CompletionStage<?> answer) {
            time.settle();
        }

        @Override
        public void close() {
            time.close();
        }
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
    void law18_a_renewal_that_fails_on_refresh_is_thrown_and_the_lease_counts_as_before() {
        Instance instance = instance();
        HeldLock held = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        elapse(ttl().dividedBy(2));
        instance.wire.next(Verb.RENEW, Fault.fail(TROUBLE));

        assertThatThrownBy(held::refresh).isSameAs(TROUBLE);
        assertThat(held.isHeld()).isTrue();
        assertThat(held.remaining()).isEqualTo(ttl().dividedBy(2));
        held.refresh();
        assertThat(held.remaining()).isEqualTo(ttl());
    }

    @Test
    void law18_a_refresh_that_is_not_answered_fails_within_a_third_of_the_ttl() {
        Instance instance = instance();
        HeldLock held = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        instance.wire.next(Verb.RENEW, Fault.dropRequest());
        CompletableFuture<Void> refresh = held.refreshAsync().toCompletableFuture();

        elapse(ttl().dividedBy(3));

        assertThatThrownBy(refresh::get).hasCauseInstanceOf(StoreException.class);
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void law18_a_failed_release_is_thrown_once_and_an_event_and_silent_in_close() {
        Instance instance = instance();
        String name = name();
        HeldLock first = instance.lock(name, locking()).tryAcquire().orElseThrow();
        HeldLock second = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        instance.wire.next(Verb.RELEASE, Fault.fail(TROUBLE), Fault.fail(TROUBLE));

        assertThatThrownBy(first::release).isSameAs(TROUBLE);
        second.close();

        assertThat(first.isHeld()).isFalse();
        assertThatThrownBy(first::release).isInstanceOf(LeaseLostException.class);
        assertThat(instance.seen.of(ReleaseFailed.class)).hasSize(2);
        elapse(ttl());
        assertThat(found(name)).as("it ends by its ttl").isEmpty();
    }

    @Test
    void law18_an_unanswered_release_fails_in_time() {
        Instance instance = instance();
        HeldLock held = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        instance.wire.next(Verb.RELEASE, Fault.dropAnswer());
        CompletableFuture<Void> release = held.releaseAsync().toCompletableFuture();
        assertThat(release).isNotDone();

        elapse(Duration.ofSeconds(2));

        assertThatThrownBy(release::get).hasCauseInstanceOf(StoreException.class);
        assertThat(answer(held.ended().toCompletableFuture())).isEqualTo(EndReason.RELEASED);
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

    @Test
    void law10_a_lock_whose_renewals_fail_expires_and_interrupts_its_body() {
        Instance instance = instance();
        LeaseLock lock = instance.lock(name(), locking());
        instance.wire.always(Verb.RENEW, Fault.fail(TROUBLE));
        Deed<Object> run = Deed.blocking(() -> lock.call(held -> {
            new java.util.concurrent.CountDownLatch(1).await();
            return null;
        }));

        elapse(ttl());

        assertThat(run.failure())
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.EXPIRED));
        assertThat(instance.seen.of(LeaseLost.class))
                .extracting(LeaseLost::reason)
                .containsExactly(EndReason.EXPIRED);
    }
}
