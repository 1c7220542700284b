package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.LockAcquired;
import io.tenure.TenureEvent.RenewalFailed;
import io.tenure.redis.RedisServerRule;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of answers that come late, or never. */
class LockAnswerCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final LockOptions RENEWED = LockOptions.ofTtl(TTL).renewed().build();

    /** Longer than the patience of this test: what is not given back is found. */
    private static final LockOptions LONG =
            LockOptions.ofTtl(Bench.PATIENCE.multipliedBy(2)).build();

    private void assertHeldWithOneError(Participant member, HeldLock held, MonitorTap tap) {
        Bench.pause(TTL);
        assertThat(held.isHeld()).isTrue();
        assertThat(redis.cli().get(bench.lease(held.name()))).endsWith("-" + held.token());
        assertThat(redis.cli().pttl(bench.lease(held.name()))).isBetween(1L, TTL.toMillis());
        assertThat(member.events(RenewalFailed.class)).hasSize(1);
        assertThat(member.events(LeaseLost.class)).isEmpty();
        assertThat(tap.tokensWritten(bench.lease(held.name()))).containsExactly(held.token());
        held.release();
        assertThat(bench.isFree(held.name())).isTrue();
        assertThat(member.events(RenewalFailed.class)).hasSize(1);
    }

    @Test
    void case19_one_renewals_answer_that_is_held_back_beyond_its_bound_costs_one_error_event_and_no_lease() {
        Participant member = bench.member();
        MonitorTap tap = bench.tap();
        member.wire.next(Verb.RENEW, Fault.holdAnswer());
        HeldLock held =
                member.tenure.lock(bench.name("report"), RENEWED).tryAcquire().orElseThrow();
        until(
                "its renewal is given up",
                () -> !member.events(RenewalFailed.class).isEmpty());

        member.wire.deliverAll();

        assertHeldWithOneError(member, held, tap);
    }

    @Test
    void case19_a_network_that_holds_back_one_renewals_answer_beyond_its_bound_does_so_too() {
        try (TcpRelay relay = TcpRelay.to(redis.port())) {
            Participant member = bench.member(relay);
            MonitorTap tap = bench.tap();
            HeldLock held = member.tenure
                    .lock(bench.name("report"), RENEWED)
                    .tryAcquire()
                    .orElseThrow();

            relay.hold(Direction.TO_CLIENT);
            until(
                    "its renewal is given up",
                    () -> !member.events(RenewalFailed.class).isEmpty());
            relay.pass(Direction.TO_CLIENT);

            assertHeldWithOneError(member, held, tap);
            bench.close(member);
        }
    }

    @Test
    void case21_one_attempt_whose_answer_is_swallowed_fails_and_leaves_the_key_absent() {
        String name = bench.name("report");
        Participant member = bench.member();
        MonitorTap tap = bench.tap();
        member.wire.next(Verb.ACQUIRE, Fault.dropAnswer());

        assertThatThrownBy(() -> member.tenure.lock(name, LONG).tryAcquire())
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.isTransient()).isTrue());

        until("it is given back", () -> bench.isFree(name));
        assertThat(tap.tokensWritten(bench.lease(name))).as("it was granted").hasSize(1);
        assertThat(member.events(LockAcquired.class)).isEmpty();
    }

    @Test
    void case21_a_wait_whose_answer_is_swallowed_returns_the_one_lease_and_one_release_leaves_the_key_absent()
            throws Exception {
        String name = bench.name("report");
        Participant member = bench.member();
        MonitorTap tap = bench.tap();
        member.wire.next(Verb.ACQUIRE, Fault.dropAnswer());

        HeldLock held = member.tenure
                .lock(name, LONG)
                .tryAcquire(Duration.ofSeconds(20))
                .orElseThrow();

        assertOneLease(member, held, tap);
    }

    @Test
    void case21_a_wait_whose_answer_is_lost_with_its_connection_returns_the_one_lease_too() {
        String name = bench.name("report");
        try (TcpRelay relay = TcpRelay.to(redis.port())) {
            Participant member = bench.member(relay);
            MonitorTap tap = bench.tap();
            relay.hold(Direction.TO_CLIENT);
            Doing<HeldLock> acquire = Doing.of(() -> member.tenure
                    .lock(name, LONG)
                    .tryAcquire(Duration.ofSeconds(20))
                    .orElseThrow());
            until("it is granted", () -> !bench.isFree(name));
            relay.swallow(Direction.TO_CLIENT);
            relay.cut();
            relay.pass(Direction.TO_CLIENT);

            assertOneLease(member, acquire.result(), tap);
            bench.close(member);
        }
    }

    private void assertOneLease(Participant member, HeldLock held, MonitorTap tap) {
        List<Long> granted = tap.tokensWritten(bench.lease(held.name()));
        assertThat(granted).containsExactly(held.token());
        until("told", () -> !member.events(LockAcquired.class).isEmpty());
        assertThat(member.events(LockAcquired.class)).hasSize(1);
        assertThat(member.events(AttemptFailed.class)).isNotEmpty();
        held.release();
        assertThat(bench.isFree(held.name())).isTrue();
        Bench.pause(Duration.ofMillis(200));
        assertThat(tap.tokensWritten(bench.lease(held.name()))).hasSize(1);
        assertThat(bench.isFree(held.name())).isTrue();
    }
}
