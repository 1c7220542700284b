package io.tenure.testkit.faces;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The laws of closing a Tenure. */
public abstract class TenureLaws extends FaceLaws {
    /** For subclasses. */
    protected TenureLaws() {}

    @Test
    void law19_closing_ends_every_candidacy_and_hold_as_closed() throws Exception {
        String role = name();
        String followed = name();
        String locked = name();
        Elector leader = instance().elector(followed, election());
        leader.campaign();
        soon("another leads", leader::isLeader);
        Instance closing = instance();
        Leading work = new Leading();
        Deed<Void> run = Deed.blocking(() -> {
            closing.elector(role, election()).run(work);
            return null;
        });
        Candidacy following = closing.elector(followed, election()).campaign();
        HeldLock held = closing.lock(locked, locking().renewed()).tryAcquire().orElseThrow();
        soon("leads", work::isUnderWay);

        Deed<Void> close = close(closing.tenure);
        close.result();

        assertThat(run.result()).as("run returns normally").isNull();
        assertThat(following.awaitEnd()).isEqualTo(EndReason.CLOSED);
        assertThat(answer(held.ended().toCompletableFuture())).isEqualTo(EndReason.CLOSED);
        assertThat(held.isHeld()).isFalse();
        assertThat(work.term(0).isHeld()).isFalse();
        assertThat(work.ended()).as("the work was awaited").isEqualTo(1);
        assertThat(found(role)).isEmpty();
        assertThat(found(locked)).isEmpty();
        assertThat(closing.seen.of(SteppedDown.class))
                .extracting(SteppedDown::reason)
                .containsExactly(EndReason.CLOSED);
        assertThat(closing.seen.has(AttemptFailed.class)).isFalse();
        assertThat(leader.isLeader()).as("nobody else is disturbed").isTrue();
    }

    private static Deed<Void> close(Tenure tenure) {
        return Deed.of(() -> {
            tenure.close();
            return null;
        });
    }

    @Test
    void law19_closing_ends_every_wait_without_interrupting_its_thread() {
        String name = name();
        instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        Instance closing = instance();
        LeaseLock lock = closing.lock(name, locking());
        List<Deed<HeldLock>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(Deed.blocking(lock::acquire));
        }
        CompletableFuture<Optional<HeldLock>> pending =
                lock.tryAcquireAsync(ttl().multipliedBy(9)).toCompletableFuture();

        close(closing.tenure).result();

        for (Deed<HeldLock> waiter : waiters) {
            assertThat(waiter.failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(name);
            assertThat(waiter.wasInterruptedAtTheEnd()).isFalse();
        }
        assertThatThrownBy(pending::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(closing.seen.has(AttemptFailed.class)).isFalse();
    }

    @Test
    void law19_closing_does_not_hand_what_it_releases_to_its_own_waiters() {
        Instance closing = instance();
        List<Deed<HeldLock>> waiters = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            LeaseLock lock = closing.lock(name(), locking());
            lock.tryAcquire().orElseThrow();
            waiters.add(Deed.blocking(lock::acquire));
        }
        soon("all wait", () -> closing.askers() == 24);

        close(closing.tenure).result();

        assertThat(waiters).allMatch(waiter -> waiter.failure() instanceof IllegalStateException);
    }

    @Test
    void law19_one_failing_release_does_not_keep_the_others_from_being_released() {
        Instance closing = instance();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String name = name();
            names.add(name);
            closing.lock(name, locking()).tryAcquire().orElseThrow();
        }
        closing.wire.next(Verb.RELEASE, Fault.none(), Fault.fail(StoreException.permanent("may not delete")));

        close(closing.tenure).result();

        assertThat(names.stream().filter(name -> found(name).isPresent())).hasSize(1);
        assertThat(closing.wire.count(Verb.RELEASE)).isEqualTo(10);
        assertThat(closing.seen.of(TenureEvent.ReleaseFailed.class)).hasSize(1);
    }

    @Test
    void law19_closing_twice_or_from_two_threads_is_closing_once() {
        Instance closing = instance();
        HeldLock held = closing.lock(name(), locking()).tryAcquire().orElseThrow();

        Deed<Void> one = close(closing.tenure);
        Deed<Void> two = close(closing.tenure);
        one.result();
        two.result();
        close(closing.tenure).result();

        assertThat(closing.wire.count(Verb.RELEASE)).isEqualTo(1);
        assertThat(held.isHeld()).isFalse();
    }

    @Test
    void law19_a_closed_tenure_refuses_everything_with_a_message() {
        Instance closing = instance();
        String role = name();
        Elector elector = closing.elector(role, election());
        LeaseLock lock = closing.lock(name(), locking());
        HeldLock held = closing.lock(name(), locking()).tryAcquire().orElseThrow();
        close(closing.tenure).result();

        assertThatThrownBy(elector::campaign)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> elector.run(term -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(lock::acquire).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.run(lease -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> closing.tenure.lock("x")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> closing.tenure.elector("x")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> closing.tenure.find(role)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> closing.tenure.list(role, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(held::refresh)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.CLOSED));
        assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
        held.close();
        assertThat(elector.isLeader()).isFalse();
    }

    @Test
    void law19_closing_waits_for_the_work_at_most_its_drain_timeout() {
        Instance closing = instance();
        Duration drain = ttl().dividedBy(4);
        Stubborn work = new Stubborn();
        closing.elector(name(), election().drainTimeout(drain)).campaign(work);
        soon("leads", () -> work.begun() == 1);
        long start = stage().nanos();

        Deed<Void> close = close(closing.tenure);
        soon("the work is told to end", () -> work.interrupts() == 1);
        assertThat(close.isOver()).isFalse();
        within(drain, "close returns", close::isOver);

        assertThat(Duration.ofNanos(stage().nanos() - start)).isGreaterThanOrEqualTo(drain);
        assertThat(work.ended()).isZero();
        work.allowToEnd();
    }

    @Test
    void law19_closing_from_inside_the_work_does_not_wait_for_itself() {
        Instance closing = instance();
        String role = name();
        CountDownLatch closed = new CountDownLatch(1);
        Candidacy candidacy = closing.elector(role, election()).campaign(term -> {
            closing.tenure.close();
            closed.countDown();
        });

        soon("returns", () -> closed.getCount() == 0);
        assertThat(Deed.of(candidacy::awaitEnd).result()).isEqualTo(EndReason.CLOSED);
        close(closing.tenure).result();
        assertThat(found(role)).isEmpty();
    }

    @Test
    void law19_closing_the_candidacy_from_inside_its_work_does_not_wait_for_itself() {
        AtomicReference<Candidacy> own = new AtomicReference<>();
        CountDownLatch known = new CountDownLatch(1);
        Candidacy candidacy = instance().elector(name(), election()).campaign(term -> {
            known.await();
            requireNonNull(own.get()).close();
        });
        own.set(candidacy);
        known.countDown();

        assertThat(Deed.of(candidacy::awaitEnd).result()).isEqualTo(EndReason.CLOSED);
    }

    @Test
    void law19_closing_from_inside_an_observer_does_not_wait_for_itself() {
        AtomicReference<Tenure> own = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        Instance closing = instance(builder -> builder.observer(event -> {
            if (event instanceof Elected) {
                requireNonNull(own.get()).close();
                closed.countDown();
            }
        }));
        own.set(closing.tenure);
        String role = name();
        Elector elector = closing.elector(role, election());

        elector.campaign();

        soon("returns", () -> closed.getCount() == 0);
        close(closing.tenure).result();
        assertThat(found(role)).isEmpty();
    }

    @Test
    void law19_closing_from_inside_an_ended_callback_does_not_wait_for_itself() {
        Instance closing = instance();
        String name = name();
        String other = name();
        CountDownLatch closed = new CountDownLatch(1);
        HeldLock held = closing.lock(name, locking()).tryAcquire().orElseThrow();
        closing.lock(other, locking()).tryAcquire().orElseThrow();
        held.ended().thenRun(() -> {
            closing.tenure.close();
            closed.countDown();
        });

        Deed<Void> release = Deed.of(() -> {
            held.release();
            return null;
        });

        soon("returns", () -> closed.getCount() == 0);
        release.result();
        close(closing.tenure).result();
        assertThat(found(name)).isEmpty();
        assertThat(found(other)).isEmpty();
    }

    @Test
    void law19_closing_again_from_inside_a_callback_of_the_closing_does_not_wait_for_itself() {
        Instance closing = instance();
        List<String> names = List.of(name(), name(), name());
        CountDownLatch closed = new CountDownLatch(3);
        for (String name : names) {
            HeldLock held = closing.lock(name, locking()).tryAcquire().orElseThrow();
            held.ended().thenRun(() -> {
                closing.tenure.close();
                closed.countDown();
            });
        }

        Deed<Void> close = close(closing.tenure);

        soon("every callback returns", () -> closed.getCount() == 0);
        close.result();
        assertThat(names).allMatch(name -> found(name).isEmpty());
    }

    @Test
    void law19_closing_a_candidacy_from_inside_the_ended_callback_of_its_term_does_not_wait_for_itself() {
        Instance instance = instance();
        Elector elector = instance.elector(name(), election());
        Candidacy candidacy = elector.campaign();
        soon("leads", elector::isLeader);
        CountDownLatch closed = new CountDownLatch(1);
        elector.term().orElseThrow().ended().thenRun(() -> {
            candidacy.close();
            closed.countDown();
        });

        Deed<Void> resignation = Deed.of(() -> {
            elector.resign();
            return null;
        });

        soon("returns", () -> closed.getCount() == 0);
        resignation.result();
        assertThat(Deed.of(candidacy::awaitEnd).result()).isEqualTo(EndReason.CLOSED);
    }

    @Test
    void law19_an_asynchronous_close_ends_everything_too() {
        Instance closing = instance();
        String name = name();
        closing.lock(name, locking()).tryAcquire().orElseThrow();

        answer(closing.tenure.closeAsync().toCompletableFuture());

        assertThat(found(name)).isEmpty();
        assertThatThrownBy(() -> closing.lock(name, locking())).isInstanceOf(IllegalStateException.class);
    }
}
