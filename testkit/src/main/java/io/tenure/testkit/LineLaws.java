package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Laws 1 and 21: the line of those who wait, as far as it shows without a push. */
abstract class LineLaws extends StoreLaws<LeaseServer> {
    /** As many denials as a store may need to notice a handful of vanished waiters, a few at each. */
    private static final int A_FEW_DENIALS = 10;

    @Test
    void law21_waiters_stand_in_line_by_their_first_arrival() {
        String name = heldName();

        assertThat(place(contender("bob"), name)).isEqualTo(1);
        assertThat(place(contender("carol"), name)).isEqualTo(2);
        assertThat(place(contender("dave"), name)).isEqualTo(3);
    }

    @Test
    void law01_the_denial_tells_the_place_in_line() {
        String name = heldName();
        place(contender("bob"), name);

        assertThat(place(contender("carol"), name)).isEqualTo(2);
    }

    @Test
    void law21_a_waiter_that_asks_again_keeps_its_place() {
        String name = heldName();
        Contender bob = contender("bob");
        Contender carol = contender("carol");
        place(bob, name);
        place(carol, name);

        assertThat(place(bob, name)).isEqualTo(1);
        assertThat(place(carol, name)).isEqualTo(2);
        assertThat(place(bob, name)).isEqualTo(1);
    }

    @Test
    void law21_whoever_does_not_want_to_wait_stands_in_no_line() {
        String name = heldName();

        assertThat(contender("bob").locks(name).waiting(Duration.ZERO).denied().place())
                .isZero();
        assertThat(place(contender("carol"), name)).isEqualTo(1);
    }

    @Test
    void law21_a_waiter_is_known_by_its_incarnation() {
        String name = heldName();
        Contender bob = contender("bob");
        place(bob, name);
        place(contender("carol"), name);

        Contender sameProcess = new Contender(bob.store(), "bob's other lock", bob.incarnation());

        assertThat(place(sameProcess, name)).isEqualTo(1);
    }

    @Test
    void law21_the_lines_of_different_names_are_different_lines() {
        String one = heldName();
        String other = heldName();
        Contender bob = contender("bob");
        Contender carol = contender("carol");
        place(bob, one);

        assertThat(place(carol, other)).isEqualTo(1);
        assertThat(place(bob, other)).isEqualTo(2);
    }

    @Test
    void law21_whoever_is_granted_the_lease_leaves_the_line() {
        String name = name();
        contender("alice").locks(name).ttl(shortTtl()).granted();
        Contender bob = contender("bob");
        Contender carol = contender("carol");
        place(bob, name);
        place(carol, name);
        outlast(shortTtl());

        bob.locks(name).granted();

        assertThat(place(carol, name)).isEqualTo(1);
        assertThat(place(bob, name)).isEqualTo(2);
    }

    @Test
    void law21_a_beaten_waiter_keeps_its_place() {
        String name = name();
        contender("alice").locks(name).ttl(shortTtl()).granted();
        Contender bob = contender("bob");
        Contender carol = contender("carol");
        place(bob, name);
        place(carol, name);
        outlast(shortTtl());
        contender("dave").locks(name).granted();

        assertThat(place(carol, name)).isEqualTo(2);
        assertThat(place(bob, name)).isEqualTo(1);
    }

    @Test
    void law21_waiters_that_have_vanished_are_dropped_a_few_at_each_denial() {
        String name = heldName();
        for (int i = 0; i < 5; i++) {
            contender("vanishing-" + i).locks(name).waiting(shortTtl()).denied();
        }
        Contender patient = contender("patient");
        place(patient, name);
        server().elapse(untilVanished(shortTtl()));

        int place = Integer.MAX_VALUE;
        for (int i = 0; i < A_FEW_DENIALS && place != 1; i++) {
            place = place(patient, name);
        }

        assertThat(place).isEqualTo(1);
    }

    @Test
    void law21_a_waiter_that_was_seen_again_in_time_has_not_vanished() {
        String name = heldName();
        Duration bound = shortTtl().multipliedBy(3);
        Contender bob = contender("bob");
        bob.locks(name).waiting(bound).denied();
        Contender carol = contender("carol");
        place(carol, name);
        for (int i = 0; i < 2; i++) {
            server().elapse(bound);
            bob.locks(name).waiting(bound).denied();
        }
        server().elapse(bound);

        assertThat(place(carol, name)).isEqualTo(2);
        assertThat(bob.locks(name).waiting(bound).denied().place()).isEqualTo(1);
    }

    @Test
    void law21_a_waiter_that_vanished_and_comes_back_stands_at_the_end() {
        String name = heldName();
        Contender bob = contender("bob");
        bob.locks(name).waiting(shortTtl()).denied();
        Contender carol = contender("carol");
        place(carol, name);
        server().elapse(untilVanished(shortTtl()));
        place(carol, name);
        place(carol, name);

        assertThat(place(bob, name)).isEqualTo(2);
        assertThat(place(carol, name)).isEqualTo(1);
    }

    /** Twice the bound is what a waiter is given; stores may add a little, so that not every look has to be written down. */
    private static Duration untilVanished(Duration bound) {
        return bound.multipliedBy(5).dividedBy(2).plusMillis(2);
    }

    private String heldName() {
        String name = name();
        contender("alice").locks(name).granted();
        return name;
    }

    private static int place(Contender waiter, String name) {
        return waiter.locks(name).waiting(Contender.LONG).denied().place();
    }
}
