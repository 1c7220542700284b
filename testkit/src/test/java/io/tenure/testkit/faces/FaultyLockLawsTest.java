package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.StoreException;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.ReleaseFailed;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The laws of a lock that is held, when its renewals and its release fail or hang. */
class FaultyLockLawsTest extends FaceLaws {
    private static final StoreException TROUBLE = StoreException.passing("connection reset");

    @Override
    protected Stage openStage() {
        return new HandMovedStage();
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
        StoreException refusal = StoreException.permanent("may not delete");
        instance.wire.next(Verb.RELEASE, Fault.fail(refusal), Fault.fail(refusal));

        assertThatThrownBy(first::release).isSameAs(refusal);
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
