package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Laws 1 and 3: who is granted a lease, and what the others are told. */
abstract class GrantLaws extends StoreLaws<LeaseServer> {

    @Test
    void law01_a_free_lease_is_granted() {
        Contender alice = contender("alice");

        Claim claim = alice.elects(name()).granted();

        assertHeld(claim);
    }

    @Test
    void law01_a_live_lease_is_denied_and_stays_as_it_is() {
        String name = name();
        Claim held = contender("alice").elects(name).granted();

        contender("bob").elects(name).denied();

        assertHeld(held);
    }

    @Test
    void law01_the_denial_names_the_lease_its_holder_and_its_token() {
        String name = name();
        Claim held = contender("alice").elects(name).granted();

        Acquisition.Denied denied = contender("bob").elects(name).denied();

        assertThat(denied.current().name()).isEqualTo(name);
        assertThat(denied.current().holder()).isEqualTo("alice");
        assertThat(denied.current().incarnation()).isEqualTo(held.incarnation());
        assertThat(denied.current().attempt()).isEqualTo(held.attempt());
        assertThat(denied.current().token()).isEqualTo(held.token());
        assertThat(denied.current().age()).isZero();
        assertThat(denied.current().isOurs()).isTrue();
    }

    @Test
    void law01_the_denial_tells_the_remaining_time() {
        String name = name();
        Duration ttl = Contender.LONG;
        contender("alice").elects(name).ttl(ttl).granted();
        Contender bob = contender("bob");

        Duration first = bob.elects(name).denied().current().remaining();
        server().elapse(shortTtl());
        Duration later = bob.elects(name).denied().current().remaining();

        assertThat(first).isPositive().isLessThanOrEqualTo(ttl);
        assertThat(later)
                .isPositive()
                .isLessThanOrEqualTo(first.minus(shortTtl()).plusMillis(1));
    }

    @Test
    void law01_of_many_at_once_exactly_one_is_granted_the_lease() throws Exception {
        String name = name();
        int many = 8;
        CyclicBarrier start = new CyclicBarrier(many);
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            List<Future<Acquisition>> answers = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                Contender each = contender("contender-" + i);
                answers.add(threads.submit(() -> {
                    start.await(Answers.PATIENCE_SECONDS, TimeUnit.SECONDS);
                    return each.elects(name).sent();
                }));
            }
            int granted = 0;
            for (Future<Acquisition> answer : answers) {
                granted += answer.get(2 * Answers.PATIENCE_SECONDS, TimeUnit.SECONDS) instanceof Acquisition.Granted
                        ? 1
                        : 0;
            }

            assertThat(granted).isOne();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void law01_an_election_excludes_a_lock_of_its_name() {
        String name = name();
        Claim held = contender("alice").elects(name).granted();

        assertThat(contender("bob").locks(name).denied().current().holder()).isEqualTo("alice");
        assertHeld(held);
    }

    @Test
    void law01_a_lock_excludes_an_election_of_its_name() {
        String name = name();
        Claim held = contender("alice").locks(name).granted();

        assertThat(contender("bob").elects(name).denied().current().holder()).isEqualTo("alice");
        assertHeld(held);
    }

    @Test
    void law01_leases_of_different_names_do_not_touch_each_other() {
        Claim one = contender("alice").elects(name()).granted();
        Claim other = contender("bob").elects(name()).granted();

        assertHeld(one);
        assertHeld(other);
    }

    @Test
    void law01_a_lease_is_free_once_its_ttl_has_passed() {
        String name = name();
        contender("alice").elects(name).ttl(shortTtl()).granted();

        outlast(shortTtl());

        assertHeld(contender("bob").elects(name).granted());
    }

    @Test
    void law01_a_lease_is_held_until_its_ttl_has_passed() {
        String name = name();
        Claim held =
                contender("alice").elects(name).ttl(shortTtl().multipliedBy(6)).granted();

        server().elapse(shortTtl());

        contender("bob").elects(name).denied();
        assertHeld(held);
    }

    @Test
    void law03_the_same_attempt_again_gets_the_same_token() {
        Contender.Attempt attempt = contender("alice").elects(name());
        long token = attempt.grant().token();

        assertThat(attempt.grant().token()).isEqualTo(token);
        assertThat(attempt.grant().token()).isEqualTo(token);
        assertHeld(attempt.claim().withToken(token));
    }

    @Test
    void law03_the_same_attempt_again_gets_the_same_token_whatever_floor_it_has_learnt_meanwhile() {
        Contender.Attempt attempt = contender("alice").elects(name());
        long token = attempt.grant().token();

        assertThat(attempt.floor(token + 1_000).grant().token()).isEqualTo(token);
    }

    @Test
    void law03_the_same_attempt_again_starts_the_ttl_again() {
        String name = name();
        Contender.Attempt attempt = contender("alice").elects(name);
        long token = attempt.ttl(shortTtl()).grant().token();

        attempt.ttl(Contender.LONG).grant();
        outlast(shortTtl());

        assertHeld(attempt.claim().withToken(token));
    }

    @Test
    void law03_an_attempt_repeated_when_its_lease_is_over_is_granted_anew_with_a_higher_token() {
        Contender alice = contender("alice");
        Contender.Attempt attempt = alice.elects(name());
        Claim first = attempt.granted();
        alice.releases(first);

        assertThat(attempt.grant().token()).isGreaterThan(first.token());
    }

    @Test
    void law03_an_attempt_repeated_when_another_has_the_lease_is_denied() {
        String name = name();
        Contender alice = contender("alice");
        Contender.Attempt attempt = alice.elects(name);
        alice.releases(attempt.granted());
        Claim successor = contender("bob").elects(name).granted();

        attempt.denied();

        assertHeld(successor);
    }

    @Test
    void law03_another_attempt_is_not_the_same() {
        String name = name();
        Contender alice = contender("alice");
        Claim held = alice.electsAs(name, 1).granted();

        alice.electsAs(name, 2).denied();

        assertHeld(held);
    }

    @Test
    void law03_the_same_number_of_another_incarnation_is_not_the_same_attempt() {
        String name = name();
        Claim held = contender("alice").electsAs(name, 1).granted();

        contender("alice").electsAs(name, 1).denied();

        assertHeld(held);
    }

    @Test
    void law03_the_same_number_of_another_holder_is_not_the_same_attempt() {
        String name = name();
        Contender alice = contender("alice");
        Claim held = alice.electsAs(name, 1).granted();

        new Contender(alice.store(), "bob", alice.incarnation())
                .electsAs(name, 1)
                .denied();

        assertHeld(held);
    }
}
