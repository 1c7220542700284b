package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Claim;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The laws of stores that push releases to those who wait (law 21). To be extended as {@link LeaseStoreContract} is;
 * any server will do whose clients have {@link LeaseStore#wakeups() wake-ups}.
 */
public abstract class WakeupContract extends StoreLaws<LeaseServer> {
    /** How long the second in line is told to wait, with room for those who count from elsewhere. */
    private static final Duration A_LITTLE_LATER = Duration.ofMillis(50);

    /** For subclasses. */
    protected WakeupContract() {}

    /**
     * How much later than at once whoever stands behind a waiter that is gone may be told to look. A store that cannot know
     * at a release who is gone, and says so in its documentation, overrides this; 50 ms are the most.
     */
    protected Duration passingOver() {
        return Duration.ZERO;
    }

    @Test
    void law21_a_release_wakes_the_longest_waiting_at_once() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());
        waiter("second", held.name());

        release(held);

        assertThat(first.woken()).isZero();
    }

    @Test
    void law21_a_release_tells_the_second_in_line_to_look_a_little_later() {
        Claim held = contender("alice").locks(name()).granted();
        waiter("first", held.name());
        Waiter second = waiter("second", held.name());

        release(held);

        assertThat(second.woken()).isEqualTo(A_LITTLE_LATER);
    }

    @Test
    void law21_a_release_wakes_nobody_behind_the_second() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());
        Waiter second = waiter("second", held.name());
        Waiter third = waiter("third", held.name());

        release(held);

        first.woken();
        second.woken();
        server().elapse(shortTtl());
        assertThat(third.wasWoken()).isFalse();
    }

    @Test
    void law21_a_forced_release_wakes_like_a_release() {
        Claim held = contender("alice").elects(name()).granted();
        Waiter first = waiter("first", held.name());
        Waiter second = waiter("second", held.name());

        assertThat(Answers.of(observer().evict(found(held.name()).orElseThrow())))
                .isTrue();

        assertThat(first.woken()).isZero();
        assertThat(second.woken()).isEqualTo(A_LITTLE_LATER);
    }

    @Test
    void law21_a_release_that_burns_wakes_like_a_release() {
        Claim held = contender("alice").elects(name()).granted();
        Waiter first = waiter("first", held.name());

        new Contender(observer(), held.holder(), held.incarnation()).releases(held, Duration.ZERO, ReleaseMode.BURN);

        assertThat(first.woken()).isZero();
    }

    @Test
    void law21_a_release_that_finds_nothing_wakes_nobody() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());

        release(held.withToken(held.token() + 1));

        server().elapse(shortTtl());
        assertThat(first.wasWoken()).isFalse();
    }

    @Test
    void law21_waiters_of_other_names_are_left_alone() {
        Contender alice = contender("alice");
        Claim held = alice.locks(name()).granted();
        Waiter elsewhere = waiter("elsewhere", alice.locks(name()).granted().name());
        Waiter first = waiter("first", held.name());

        release(held);

        first.woken();
        server().elapse(shortTtl());
        assertThat(elsewhere.wasWoken()).isFalse();
    }

    @Test
    void law21_a_client_that_is_gone_is_passed_over() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter gone = waiter("gone", held.name());
        Waiter next = waiter("next", held.name());
        gone.contender.store().close();
        server().elapse(shortTtl());

        release(held);

        assertThat(next.woken()).isLessThanOrEqualTo(passingOver()).isLessThanOrEqualTo(A_LITTLE_LATER);
        assertThat(gone.wasWoken()).isFalse();
    }

    @Test
    void law21_whoever_gives_up_while_the_lease_is_free_wakes_the_next() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());
        Waiter second = waiter("second", held.name());
        release(held);
        first.woken();
        second.woken();

        first.registration.close();

        assertThat(second.woken()).isZero();
    }

    @Test
    void law21_whoever_gives_up_while_the_lease_is_held_wakes_nobody_and_leaves_the_line() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());
        Waiter second = waiter("second", held.name());

        first.registration.close();

        awaitPlace(1, second, held.name());
        assertThat(second.wasWoken()).isFalse();
        release(held);
        assertThat(second.woken()).isZero();
        assertThat(first.wasWoken()).isFalse();
    }

    @Test
    void law21_giving_up_twice_is_giving_up_once() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());
        Waiter second = waiter("second", held.name());
        first.registration.close();
        awaitPlace(1, second, held.name());
        release(held);
        second.woken();

        first.registration.close();
        first.registration.served();
        server().elapse(shortTtl());

        assertThat(second.wasWoken()).isFalse();
    }

    @Test
    void law21_whoever_was_served_wakes_nobody() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());
        Waiter second = waiter("second", held.name());
        release(held);
        first.woken();
        second.woken();

        Claim served = first.contender.locks(held.name()).granted();
        first.registration.served();
        first.registration.close();
        release(served);

        assertThat(second.woken()).isZero();
        assertThat(first.wasWoken()).isFalse();
    }

    @Test
    void law21_whoever_is_granted_the_lease_leaves_the_line() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());
        Waiter second = waiter("second", held.name());
        release(held);
        first.woken();
        second.woken();

        Claim served = first.contender.locks(held.name()).granted();

        assertThat(second.place(held.name())).isEqualTo(1);
        assertThat(first.place(held.name())).isEqualTo(2);
        release(served);
        assertThat(second.woken()).isZero();
    }

    @Test
    void law21_a_woken_but_beaten_waiter_keeps_its_place_and_is_woken_first_again() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter first = waiter("first", held.name());
        Waiter second = waiter("second", held.name());
        release(held);
        first.woken();
        second.woken();
        Claim faster = contender("faster").locks(held.name()).granted();

        assertThat(second.place(held.name())).isEqualTo(2);
        assertThat(first.place(held.name())).isEqualTo(1);
        release(faster);

        assertThat(first.woken()).isZero();
        assertThat(second.woken()).isEqualTo(A_LITTLE_LATER);
    }

    @Test
    void law21_the_second_can_take_the_lease_when_the_first_does_not_move() {
        Claim held = contender("alice").locks(name()).granted();
        Waiter paused = waiter("paused", held.name());
        Waiter second = waiter("second", held.name());
        release(held);
        paused.woken();
        second.woken();

        Claim taken = second.contender.locks(held.name()).granted();

        assertHeld(taken);
        assertThat(paused.place(held.name())).isEqualTo(1);
    }

    @Test
    void law20_interest_is_registered_before_the_attempt_and_costs_nothing_when_the_attempt_is_granted() {
        Contender alice = contender("alice");
        String name = name();
        Waiter first = new Waiter(alice, name);

        Claim claim = alice.locks(name).waiting(Contender.LONG).granted();
        first.registration.served();
        release(claim);
        server().elapse(shortTtl());

        assertThat(first.wasWoken()).isFalse();
    }

    private void release(Claim claim) {
        new Contender(observer(), claim.holder(), claim.incarnation()).releases(claim);
    }

    /** Leaving the line is not waited for by those who leave. */
    private void awaitPlace(int expected, Waiter waiter, String name) {
        for (int i = 0; i < 1_000 && waiter.place(name) != expected; i++) {
            server().elapse(Duration.ofMillis(5));
        }
        assertThat(waiter.place(name)).isEqualTo(expected);
    }

    private Waiter waiter(String holder, String name) {
        Waiter waiter = new Waiter(contender(holder), name);
        assertThat(waiter.place(name)).isPositive();
        return waiter;
    }

    /**
     * Returns when the push of {@code waiter} is live, and all has been told that a store may tell when it comes to life:
     * releases may have been missed until then. What is told then comes before the second of two pushes.
     */
    private void comeToLife(Contender waiter) {
        String name = name();
        WakeProbe probe = new WakeProbe();
        Wakeups wakeups = waiter.store().wakeups();
        Wakeups.Registration registration = wakeups.await(name, waiter.incarnation(), probe);
        for (int i = 0; i < 2_000 && !wakeups.isLive(); i++) {
            server().elapse(Duration.ofMillis(5));
        }
        assertThat(wakeups.isLive()).as("the push is live").isTrue();
        Contender holder = contender("holder", observer());
        for (int i = 0; i < 2; i++) {
            Claim held = holder.locks(name).granted();
            waiter.locks(name).waiting(Contender.LONG).denied();
            holder.releases(held);
            probe.next();
        }
        registration.close();
    }

    /** A contender that can be woken, registered before it asks. */
    private final class Waiter {
        private final Contender contender;
        private final WakeProbe probe = new WakeProbe();
        private final Wakeups.Registration registration;

        private Waiter(Contender contender, String name) {
            this.contender = contender;
            comeToLife(contender);
            registration = contender.store().wakeups().await(name, contender.incarnation(), probe);
        }

        private int place(String name) {
            return contender.locks(name).waiting(Contender.LONG).denied().place();
        }

        private Duration woken() {
            return probe.next();
        }

        private boolean wasWoken() {
            return probe.hasMore();
        }
    }
}
