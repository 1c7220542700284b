package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LeaseRecord;
import io.tenure.LockNotAcquiredException;
import io.tenure.LockOptions;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.LockAcquired;
import io.tenure.TenureEvent.LockReleased;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The laws of a lock that is held: of its one holder, its renewal, its release and its other ends. */
public abstract class LockLaws extends FaceLaws {
    /** For subclasses. */
    protected LockLaws() {}

    @Test
    void law01_a_held_lock_is_denied_to_everybody_else_and_to_its_own_process() {
        String name = name();
        Instance holding = instance();
        LeaseLock lock = holding.lock(name, locking());

        HeldLock held = lock.tryAcquire().orElseThrow();

        assertThat(held.isHeld()).isTrue();
        assertThat(lock.tryAcquire()).as("locks are not re-entrant").isEmpty();
        assertThat(instance().lock(name, locking()).tryAcquire()).isEmpty();
    }

    @Test
    void law01_a_denied_run_names_the_holder() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();
        LeaseLock other = instance().lock(name, locking());

        assertThatThrownBy(() -> other.run(lease -> {
                    throw new AssertionError("never without the lock");
                }))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, denied -> {
                    LeaseRecord current = denied.current().orElseThrow();
                    assertThat(current.holder()).isEqualTo(held.holder());
                    assertThat(current.token()).isEqualTo(held.token());
                    assertThat(current.remaining()).isPositive().isLessThanOrEqualTo(ttl());
                    assertThat(denied.name()).isEqualTo(held.name());
                });
    }

    @Test
    void law02_tokens_rise_across_release_and_expiry() {
        String name = name();
        LeaseLock lock = instance().lock(name, LockOptions.ofTtl(ttl().dividedBy(5)));

        HeldLock released = lock.tryAcquire().orElseThrow();
        released.release();
        HeldLock expiring = lock.tryAcquire().orElseThrow();
        elapse(ttl().dividedBy(5).plusMillis(5));
        HeldLock last = lock.tryAcquire().orElseThrow();

        assertThat(expiring.token()).isGreaterThan(released.token());
        assertThat(last.token()).isGreaterThan(expiring.token());
    }

    @Test
    void law04_every_acquisition_has_a_holder_of_its_own() {
        String name = name();
        Instance instance = instance();
        LeaseLock lock = instance.lock(name, locking());

        HeldLock first = lock.tryAcquire().orElseThrow();
        first.release();
        HeldLock second = lock.tryAcquire().orElseThrow();

        assertThat(second.holder()).isNotEqualTo(first.holder()).startsWith(instance.tenure.holder());
    }

    @Test
    void law09_an_unrenewed_lock_expires_by_timer_and_everybody_learns_of_it() {
        String name = name();
        Instance instance = instance();
        Duration ttl = ttl().dividedBy(5);
        HeldLock held = instance.lock(name, LockOptions.ofTtl(ttl)).tryAcquire().orElseThrow();

        elapse(ttl.plusMillis(5));

        assertThat(held.isHeld()).isFalse();
        assertThat(answer(held.ended().toCompletableFuture())).isEqualTo(EndReason.EXPIRED);
        soon("told", () -> instance.seen.has(LeaseLost.class));
        assertThat(instance.seen.of(LeaseLost.class))
                .containsExactly(new LeaseLost(held.name(), held.token(), EndReason.EXPIRED));
        assertThatThrownBy(held::requireHeld)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.EXPIRED));
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law10_a_renewed_lock_is_held_beyond_its_ttl() {
        String name = name();
        HeldLock held = instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();

        elapse(ttl().multipliedBy(2));

        assertThat(held.isHeld()).isTrue();
        assertThat(found(name).orElseThrow().token()).isEqualTo(held.token());
        assertThat(instance().lock(name, locking()).tryAcquire()).isEmpty();
    }

    @Test
    void law08_a_refresh_extends_by_the_ttl_from_its_sending() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();
        elapse(ttl().dividedBy(2));
        Duration before = held.remaining();

        held.refresh();

        assertThat(before).isLessThanOrEqualTo(ttl().dividedBy(2));
        assertThat(held.remaining()).isGreaterThan(before).isLessThanOrEqualTo(ttl());
        elapse(overATtl().minus(ttl().dividedBy(2)));
        assertThat(held.isHeld()).as("beyond the first ttl").isTrue();
        assertThat(found(name)).isPresent();
    }

    @Test
    void law08_a_refresh_from_another_thread_and_without_waiting_is_as_good() {
        HeldLock held = instance().lock(name(), locking()).tryAcquire().orElseThrow();
        elapse(ttl().dividedBy(2));

        Deed.of(() -> answer(held.refreshAsync().toCompletableFuture())).result();

        assertThat(held.remaining()).isGreaterThan(ttl().dividedBy(2));
    }

    @Test
    void law05_refreshing_or_releasing_a_lock_that_was_lost_tells_so() {
        String name = name();
        Instance instance = instance();
        HeldLock first = instance.lock(name, locking()).tryAcquire().orElseThrow();
        evict(name);

        assertThatThrownBy(first::refresh)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.FORCED));
        assertThat(first.isHeld()).isFalse();
        assertThatThrownBy(first::release)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.FORCED));

        HeldLock second = instance.lock(name, locking()).tryAcquire().orElseThrow();
        evict(name);
        assertThatThrownBy(second::release).isInstanceOf(LeaseLostException.class);
        assertThat(second.isHeld()).isFalse();
        assertThatCode(second::close).as("closing is silent about loss").doesNotThrowAnyException();
    }

    @Test
    void law05_a_lock_that_another_has_taken_is_lost_as_taken() {
        String name = name();
        HeldLock held = instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        LeaseLock other = instance().lock(name, locking());

        evict(name);
        HeldLock taken = other.tryAcquire().orElseThrow();
        within(ttl().dividedBy(2), "is lost", () -> !held.isHeld());

        assertThat(answer(held.ended().toCompletableFuture())).isEqualTo(EndReason.TAKEN);
        assertThat(taken.isHeld()).isTrue();
        assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
        assertThat(found(name).orElseThrow().token())
                .as("a late release does no harm")
                .isEqualTo(taken.token());
    }

    @Test
    void law18_a_release_frees_the_name_at_once_and_a_second_one_is_refused() {
        String name = name();
        Instance instance = instance();
        HeldLock held = instance.lock(name, locking()).tryAcquire().orElseThrow();

        held.release();

        assertThat(held.isHeld()).isFalse();
        assertThat(held.remaining()).isZero();
        assertThat(found(name)).isEmpty();
        assertThat(answer(held.ended().toCompletableFuture())).isEqualTo(EndReason.RELEASED);
        assertThatThrownBy(held::release)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.RELEASED));
        assertThatThrownBy(held::refresh).isInstanceOf(LeaseLostException.class);
        assertThatCode(held::close).doesNotThrowAnyException();
        soon("told", () -> instance.seen.has(LockReleased.class));
        assertThat(instance.seen.order(java.util.List.of(LockAcquired.class, LockReleased.class, LeaseLost.class)))
                .containsExactly("LockAcquired", "LockReleased");
        assertThat(instance.releases()).hasSize(1);
    }

    @Test
    void law18_a_lock_may_be_released_by_any_thread() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();

        Deed.of(() -> answer(held.releaseAsync().toCompletableFuture())).result();

        assertThat(held.isHeld()).isFalse();
        assertThat(found(name)).isEmpty();
    }

    @Test
    void law18_closing_twice_releases_once() {
        String name = name();
        Instance instance = instance();
        HeldLock held = instance.lock(name, locking()).tryAcquire().orElseThrow();

        held.close();
        held.close();

        assertThat(found(name)).isEmpty();
        assertThat(instance.releases()).hasSize(1);
        assertThat(answer(held.ended().toCompletableFuture())).isEqualTo(EndReason.RELEASED);
    }

    @Test
    void law18_nothing_is_sent_for_a_renewed_lock_after_its_release() {
        Instance instance = instance();
        HeldLock held = instance.lock(name(), locking().renewed()).tryAcquire().orElseThrow();
        elapse(ttl().dividedBy(2));

        held.release();
        int calls = instance.wire.calls().size();
        elapse(ttl());

        assertThat(instance.wire.calls()).hasSize(calls);
    }

    @Test
    void hold_at_least_keeps_the_name_taken_after_the_release_and_no_longer() {
        String name = name();
        Duration least = ttl().dividedBy(2);
        LeaseLock lock = instance().lock(name, locking().holdAtLeast(least));
        LeaseLock other = instance().lock(name, locking());
        long start = stage().nanos();
        HeldLock held = lock.tryAcquire().orElseThrow();

        held.release();

        assertThat(held.isHeld()).isFalse();
        assertThat(other.tryAcquire()).isEmpty();
        Deed<HeldLock> waiting = Deed.blocking(other::acquire);
        within(least.plusMillis(50), "is free", waiting::isOver);
        assertThat(Duration.ofNanos(stage().nanos() - start)).isGreaterThanOrEqualTo(least.minus(CLOCKS));
        assertThat(waiting.result().isHeld()).isTrue();
    }

    @Test
    void hold_at_least_does_not_prolong_a_longer_hold() {
        String name = name();
        LeaseLock lock = instance().lock(name, locking().holdAtLeast(ttl().dividedBy(4)));
        HeldLock held = lock.tryAcquire().orElseThrow();
        elapse(ttl().dividedBy(2));

        held.release();

        assertThat(found(name)).isEmpty();
    }

    @Test
    void max_hold_ends_even_a_renewed_hold_and_burns_its_token() {
        String name = name();
        Duration most = ttl().multipliedBy(3).dividedBy(2);
        Instance instance = instance();
        long start = stage().nanos();
        HeldLock held = instance.lock(name, locking().renewed().maxHold(most))
                .tryAcquire()
                .orElseThrow();
        elapse(overATtl());
        assertThat(held.isHeld()).isTrue();

        within(ttl(), "ends", () -> !held.isHeld());

        assertThat(Duration.ofNanos(stage().nanos() - start)).isGreaterThanOrEqualTo(most);
        assertThat(answer(held.ended().toCompletableFuture())).isEqualTo(EndReason.MAX_HOLD);
        soon("is free", () -> found(name).isEmpty());
        assertThat(instance.releases()).extracting(ReleaseRequest::mode).containsExactly(ReleaseMode.BURN);
        soon("told", () -> instance.seen.has(LockReleased.class));
        assertThat(instance.seen.of(LockReleased.class))
                .extracting(LockReleased::reason)
                .containsExactly(EndReason.MAX_HOLD);
        assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void law30_names_that_differ_in_any_byte_are_different_locks() {
        String name = name();
        Instance instance = instance();

        HeldLock lower = instance.lock(name + ".x", locking()).tryAcquire().orElseThrow();
        HeldLock upper = instance.lock(name + ".X", locking()).tryAcquire().orElseThrow();
        HeldLock blank = instance.lock(name + ".x ", locking()).tryAcquire().orElseThrow();

        assertThat(lower.isHeld() && upper.isHeld() && blank.isHeld()).isTrue();
    }

    @Test
    void law30_names_that_no_store_could_keep_are_refused_with_the_reason() {
        Instance instance = instance();

        assertThatThrownBy(() -> instance.lock("", locking()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("empty");
        assertThatThrownBy(() -> instance.lock("a\nb", locking()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("control");
        assertThatThrownBy(() -> instance.elector("a\uD800", election()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("surrogate");
        assertThatThrownBy(() -> instance.elector("x".repeat(513), election()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("513");
    }
}
