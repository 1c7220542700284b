package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LockOptions;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.RenewalFailed;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Cases of locks that name a time, to the nanosecond. They are told of real servers too. */
class HandMovedLockCasesTest extends FaceLaws {
    private static final Duration INSTANT = Duration.ofNanos(1);

    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }

    private HeldLock take(Instance instance, String name, LockOptions.Builder options) {
        return instance.lock(name, options).tryAcquire().orElseThrow();
    }

    private CompletableFuture<Optional<HeldLock>> await(Instance instance, String name, LockOptions.Builder options) {
        return instance.lock(name, options)
                .tryAcquireAsync(ttl().multipliedBy(10))
                .toCompletableFuture();
    }

    @Test
    void case14_a_waiter_that_lost_its_push_holds_within_its_poll() {
        String name = name();
        HeldLock held = take(instance(), name, locking().renewed());
        Instance waiting = instance();
        Duration poll = Duration.ofSeconds(1); // ten times the pace of looking, while pushes arrive
        CompletableFuture<Optional<HeldLock>> acquire =
                await(waiting, name, locking().retryEvery(poll.dividedBy(10)));
        elapse(Duration.ofMillis(100));
        waiting.wire.breakPushes();

        elapse(Duration.ofMillis(300));
        held.release();
        assertThat(acquire).isNotDone();
        elapse(poll.minusMillis(400));

        assertThat(answer(acquire)).isPresent();
    }

    @Test
    void case15_when_the_holder_crashes_a_waiter_holds_a_ttl_of_the_holder_after_its_last_renewal() {
        String name = name();
        Instance crashing = instance();
        HeldLock held = take(crashing, name, locking().renewed());
        CompletableFuture<Optional<HeldLock>> acquire =
                await(instance(), name, LockOptions.ofTtl(ttl().dividedBy(3)).retryEvery(ttl()));
        elapse(ttl().multipliedBy(2).plusMillis(7));

        crashing.crash();
        // A ttl after the sixth renewal, which arrived when it was sent: by the calendar, not as anybody says.
        Duration renewed = ttl().dividedBy(100).multipliedBy(32).multipliedBy(6);
        Duration left = renewed.plus(ttl()).minus(ttl().multipliedBy(2).plusMillis(7));
        assertThat(crashing.wire.count(Verb.RENEW)).isEqualTo(6);
        assertThat(held.remaining()).isEqualTo(left);
        elapse(left.minus(INSTANT));
        assertThat(acquire).isNotDone();
        elapse(INSTANT.plusMillis(1));

        assertThat(answer(acquire).orElseThrow().token()).isGreaterThan(held.token());
    }

    @Test
    void case16_a_wait_of_1000_ms_ends_at_1000_ms_although_the_holder_changes_every_50_ms_and_another_one_waits() {
        String name = name();
        Duration budget = Duration.ofMillis(1_000);
        Duration step = Duration.ofMillis(50);
        Instance instance = instance();
        LeaseLock lock = instance.lock(name, locking());
        changeHolder(instance, name, 0);
        CompletableFuture<Optional<HeldLock>> first =
                lock.tryAcquireAsync(budget).toCompletableFuture();
        for (int i = 1; i <= 8; i++) {
            elapse(step);
            changeHolder(instance, name, i);
        }
        CompletableFuture<Optional<HeldLock>> second =
                lock.tryAcquireAsync(budget).toCompletableFuture();
        for (int i = 9; i <= 19; i++) {
            elapse(step);
            changeHolder(instance, name, i);
        }

        elapse(step.minus(INSTANT));
        assertThat(first).isNotDone();
        elapse(INSTANT);
        assertThat(first).isCompletedWithValue(Optional.empty());

        for (int i = 20; i <= 26; i++) {
            changeHolder(instance, name, i);
            elapse(step);
        }
        changeHolder(instance, name, 27);
        elapse(step.minus(INSTANT));
        assertThat(second).isNotDone();
        elapse(INSTANT);
        assertThat(second).isCompletedWithValue(Optional.empty());
    }

    /** Somebody else has it now, without a moment in which nobody had it, and everybody is told to look. */
    private void changeHolder(Instance waiting, String name, int number) {
        ((HandMovedStage) stage()).server().data().plant(name, "holder" + number + "#inc-1-" + (number + 1), ttl());
        waiting.wire.wake(name, Duration.ZERO);
    }

    @Test
    void case19_one_renewals_answer_that_is_held_back_beyond_its_bound_costs_one_error_event_and_no_lease() {
        Instance instance = instance();
        String name = name();
        instance.wire.next(Verb.RENEW, Fault.holdAnswer());
        HeldLock held = take(instance, name, locking().renewed());
        Duration interval = ttl().dividedBy(100).multipliedBy(32);
        elapse(interval.multipliedBy(2).minus(INSTANT));
        assertThat(instance.seen.has(RenewalFailed.class)).isFalse();

        elapse(INSTANT);
        assertThat(instance.seen.of(RenewalFailed.class)).hasSize(1);
        instance.wire.deliverAll();
        elapse(ttl().multipliedBy(3));

        assertThat(held.isHeld()).isTrue();
        assertThat(found(name).orElseThrow().token()).isEqualTo(held.token());
        assertThat(instance.seen.of(RenewalFailed.class)).hasSize(1);
        assertThat(instance.seen.has(LeaseLost.class)).isFalse();
    }

    @Test
    void case20_a_release_that_arrives_after_somebody_took_over_says_not_held_and_changes_nothing() {
        String name = name();
        Instance late = instance();
        HeldLock first = take(late, name, locking());
        CompletableFuture<Optional<HeldLock>> next =
                await(instance(), name, locking().renewed());
        elapse(ttl().minusMillis(500));
        late.wire.next(Verb.RELEASE, Fault.holdRequest());
        CompletableFuture<Void> release = first.releaseAsync().toCompletableFuture();
        elapse(Duration.ofMillis(501));
        HeldLock second = answer(next).orElseThrow();
        Instance third = instance();
        CompletableFuture<Optional<HeldLock>> waiting =
                await(third, name, locking().retryEvery(ttl()));
        long asked = third.wire.count(Verb.ACQUIRE);

        late.wire.deliverAll();

        assertThatThrownBy(release::get)
                .cause()
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.EXPIRED));
        assertThat(found(name).orElseThrow().token()).isEqualTo(second.token());
        elapse(Duration.ofMillis(100));
        assertThat(third.wire.count(Verb.ACQUIRE)).as("nobody was woken").isEqualTo(asked);
        assertThat(waiting).isNotDone();
        assertThat(second.isHeld()).isTrue();
    }
}
