package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.RenewalFailed;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.Term;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Election 10: the server's answers come late. */
class RelayCasesTest extends ElectionCase {
    @Test
    void case10_answers_that_are_held_for_longer_than_one_renewal_may_take_cost_one_event_and_no_term() {
        Duration ttl = Duration.ofSeconds(4);
        try (TcpRelay relay = TcpRelay.to(REDIS.port())) {
            Member a = member(
                    "a",
                    "redis://127.0.0.1:" + relay.port(),
                    ElectorOptions.ofTtl(ttl).renewEvery(Duration.ofMillis(500)));
            a.elector.campaign();
            Term term = a.elector.term().orElseThrow();
            int before = a.sends.renewals();
            soon("renewed", () -> a.sends.renewals() > before);

            relay.hold(Direction.TO_CLIENT);
            soon("a renewal has failed", () -> !a.events(RenewalFailed.class).isEmpty());
            relay.pass(Direction.TO_CLIENT);
            int late = a.sends.renewals();
            soon("renewed again", () -> a.sends.renewals() >= late + 3);
            passes(ttl);

            assertThat(term.isHeld()).isTrue();
            assertThat(a.elector.token()).hasValue(term.token());
            assertThat(a.events()).hasSize(2);
            assertThat(a.events().get(0)).isEqualTo(new Elected(role, term.token()));
            assertThat(a.events().get(1)).isInstanceOf(RenewalFailed.class);
            a.tenure.close();
            assertThat(a.events(SteppedDown.class))
                    .containsExactly(new SteppedDown(role, term.token(), EndReason.CLOSED));
        }
    }

    @Test
    void case10_a_term_whose_acquire_was_answered_late_and_never_renewed_ends_a_ttl_after_the_acquire_was_sent() {
        Duration ttl = Duration.ofSeconds(3);
        Duration answered = Duration.ofMillis(900);
        try (TcpRelay relay = TcpRelay.to(REDIS.port())) {
            // Once beforehand, so that the server knows the script and the attempt is one round trip.
            Member warm = member("warm", ElectorOptions.ofTtl(ttl));
            warm.elector.campaign();
            warm.tenure.close();
            Member a = member("a", "redis://127.0.0.1:" + relay.port(), ElectorOptions.ofTtl(ttl));
            long answers = relay.arrived(Direction.TO_CLIENT);

            relay.hold(Direction.TO_CLIENT);
            CompletableFuture<Void> standing = CompletableFuture.runAsync(() -> a.elector.campaign());
            soon("granted", () -> !isFree() && relay.arrived(Direction.TO_CLIENT) > answers);
            relay.swallow(Direction.TO_SERVER);
            long sent = a.sends.lastAcquire();
            passes(Duration.ofNanos(sent + answered.toNanos() - System.nanoTime()));
            relay.pass(Direction.TO_CLIENT);
            standing.join();
            Term term = a.elector.term().orElseThrow();
            assertThat(a.sends.lastAcquire()).isEqualTo(sent);

            long believed = sent;
            long now = System.nanoTime();
            while (term.isHeld()) {
                believed = now;
                LockSupport.parkNanos(100_000);
                now = System.nanoTime();
            }
            assertThat(Duration.ofNanos(believed - sent))
                    .as("by its own belief")
                    .isLessThan(ttl);
            soon("told", () -> !a.events(SteppedDown.class).isEmpty());
            assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(lateSince(sent, ttl));
            assertThat(a.events(SteppedDown.class))
                    .containsExactly(new SteppedDown(role, term.token(), EndReason.EXPIRED));
            assertThat(a.sends.renewals()).isZero();
            assertThat(a.events(TenureEvent.LeaseLost.class)).hasSize(1);
            relay.cut();
            relay.pass(Direction.TO_SERVER);
        }
    }
}
