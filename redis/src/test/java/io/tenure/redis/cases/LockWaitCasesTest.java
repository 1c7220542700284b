package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KillArgs;
import io.lettuce.core.SetArgs;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.redis.RedisServerRule;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import io.tenure.testkit.net.TcpRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of waiting for a lock: lost pushes, pushes that come early, and budgets in a crowd. */
class LockWaitCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final LockOptions HOLDING =
            LockOptions.ofTtl(Duration.ofSeconds(10)).renewed().build();
    /** Polls once a second while pushes arrive. */
    private static final LockOptions POLLING =
            LockOptions.ofTtl(Duration.ofSeconds(10)).build();
    /** Polls once in twenty seconds: whoever is served sooner was told. */
    private static final LockOptions TOLD = LockOptions.ofTtl(Duration.ofSeconds(30))
            .retryEvery(Duration.ofSeconds(2))
            .build();

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(2);

    private long subscribers(String incarnation) {
        String channel = "tenure:wake:" + incarnation;
        Map<String, Long> counts = redis.cli().pubsubNumsub(channel);
        return counts.getOrDefault(channel, 0L);
    }

    private String onlyWaiter(String name) {
        until("stands in line", () -> redis.cli().zcard(name + ":waiters") == 1);
        return redis.cli().zrange(name + ":waiters", 0, 0).get(0);
    }

    private static Duration since(long start, Doing<?> doing) {
        return Duration.ofNanos(doing.doneAt() - start);
    }

    @Test
    void case14_a_waiter_whose_subscription_was_killed_holds_within_its_poll_and_is_subscribed_again_within_5_s() {
        String name = bench.name("report");
        HeldLock held = bench.member().tenure.lock(name, HOLDING).tryAcquire().orElseThrow();
        Participant waiting = bench.member();
        Doing<HeldLock> acquire = Doing.of(waiting.tenure.lock(name, POLLING)::acquire);
        String waiter = onlyWaiter(name);
        until("is subscribed", () -> subscribers(waiter) == 1);

        long killed = System.nanoTime();
        assertThat(redis.cli().clientKill(KillArgs.Builder.typePubsub())).isEqualTo(1);
        Bench.pause(Duration.ofMillis(300));
        long released = System.nanoTime();
        held.release();

        HeldLock next = acquire.result();
        assertThat(since(released, acquire)).isLessThan(POLL.plus(bench.late()));
        assertThat(next.token()).isGreaterThan(held.token());
        until("is subscribed again", () -> subscribers(waiter) == 1);
        assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void case14_a_waiter_that_cannot_subscribe_again_holds_within_its_poll_all_the_same() {
        String name = bench.name("report");
        HeldLock held = bench.member().tenure.lock(name, HOLDING).tryAcquire().orElseThrow();
        try (TcpRelay relay = TcpRelay.to(redis.port())) {
            Participant waiting = bench.member(relay);
            Doing<HeldLock> acquire = Doing.of(waiting.tenure.lock(name, POLLING)::acquire);
            String waiter = onlyWaiter(name);
            until("is subscribed", () -> subscribers(waiter) == 1);

            relay.refuse();
            assertThat(redis.cli().clientKill(KillArgs.Builder.typePubsub())).isEqualTo(1);
            Bench.pause(Duration.ofMillis(300));
            assertThat(subscribers(waiter)).isZero();
            long released = System.nanoTime();
            held.release();

            HeldLock next = acquire.result();
            assertThat(since(released, acquire)).isLessThan(POLL.plus(bench.late()));
            long mended = System.nanoTime();
            relay.accept();
            until("is subscribed again", () -> subscribers(waiter) == 1);
            assertThat(Duration.ofNanos(System.nanoTime() - mended)).isLessThan(Duration.ofSeconds(5));
            next.release();
            bench.close(waiting);
        }
    }

    @Test
    void case16_a_wait_of_1000_ms_ends_at_1000_ms_although_the_holder_changes_every_50_ms_and_others_wait_too() {
        String name = bench.name("contended");
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger holders = new AtomicInteger();
        Doing<Integer> changing = Doing.of(() -> {
            while (!over.get()) {
                int holder = holders.incrementAndGet();
                redis.cli().set(bench.lease(name), "holder" + holder + "#inc-1-" + holder, SetArgs.Builder.px(60_000));
                for (String waiter : redis.cli().zrange(name + ":waiters", 0, -1)) {
                    redis.cli().publish("tenure:wake:" + waiter, "0 " + name);
                }
                Bench.pause(Duration.ofMillis(50));
            }
            return holders.get();
        });
        until("somebody holds it", () -> !bench.isFree(name));
        Duration budget = Duration.ofMillis(1_000);
        LeaseLock lock = bench.member().tenure.lock(name);
        List<Doing<Duration>> waits = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waits.add(Doing.of(() -> {
                long start = System.nanoTime();
                assertThat(lock.tryAcquire(budget)).isEmpty();
                return Duration.ofNanos(System.nanoTime() - start);
            }));
            Bench.pause(Duration.ofMillis(70));
        }

        List<Duration> waited = waits.stream().map(Doing::result).toList();

        over.set(true);
        assertThat(changing.result()).as("holders").isGreaterThan(10);
        assertThat(waited).allSatisfy(wait -> assertThat(wait).isGreaterThanOrEqualTo(budget));
        bench.assertPunctual(waited.stream().map(wait -> wait.minus(budget)).toList());
    }

    @Test
    void case28_a_push_that_overtakes_the_denial_is_not_lost() {
        Participant holding = bench.member();
        Participant waiting = bench.member();
        // Its subscription is alive beforehand: coming alive is a reason to look, too.
        String other = bench.name("other");
        HeldLock warm = holding.tenure.lock(other, HOLDING).tryAcquire().orElseThrow();
        Doing<HeldLock> warming = Doing.of(waiting.tenure.lock(other, TOLD)::acquire);
        String waiter = onlyWaiter(other);
        until("is subscribed", () -> waiting.store.wakeups().isLive());
        warm.release();
        warming.result().release();
        String name = bench.name("report");
        HeldLock held = holding.tenure.lock(name, HOLDING).tryAcquire().orElseThrow();
        waiting.wire.next(Verb.ACQUIRE, Fault.holdAnswer());
        Doing<HeldLock> acquire = Doing.of(waiting.tenure.lock(name, TOLD)::acquire);
        until("the denial is under way", () -> waiting.wire.underWay() == 1);
        AtomicInteger pushes = new AtomicInteger();
        waiting.store.wakeups().await(name, waiter, after -> pushes.incrementAndGet());

        held.release();
        until("the push came", () -> pushes.get() > 0);
        long delivered = System.nanoTime();
        waiting.wire.deliverAll();

        assertThat(acquire.result().isHeld()).isTrue();
        assertThat(since(delivered, acquire)).isLessThan(SOON);
    }

    @Test
    void case28_waiters_that_give_up_after_being_woken_pass_the_baton() {
        String name = bench.name("report");
        HeldLock held = bench.member().tenure.lock(name, HOLDING).tryAcquire().orElseThrow();
        List<Participant> waiting = List.of(bench.member(), bench.member(), bench.member());
        List<Doing<HeldLock>> acquires = new ArrayList<>();
        for (Participant member : waiting) {
            acquires.add(Doing.of(member.tenure.lock(name, TOLD)::acquire));
            until("stands in line", () -> redis.cli().zcard(name + ":waiters") == acquires.size());
            until("is subscribed", () -> member.store.wakeups().isLive());
            // Whatever it asked for on account of its subscription has been answered.
            until("has looked", () -> member.wire.count(Verb.ACQUIRE) >= 2);
        }
        // A release tells two: these are woken, and neither gets to ask.
        List<Participant> woken = waiting.subList(0, 2);
        woken.forEach(member -> member.wire.always(Verb.ACQUIRE, Fault.holdRequest()));

        held.release();
        until("both were woken", () -> woken.stream().allMatch(member -> member.wire.underWay() == 1));
        assertThat(acquires.get(2).isOver()).as("nobody told the third").isFalse();
        long gaveUp = System.nanoTime();
        acquires.get(0).interrupt();
        acquires.get(1).interrupt();

        HeldLock last = acquires.get(2).result();
        assertThat(since(gaveUp, acquires.get(2))).isLessThan(SOON);
        assertThat(acquires.get(0).failure()).isInstanceOf(InterruptedException.class);
        assertThat(acquires.get(1).failure()).isInstanceOf(InterruptedException.class);
        woken.forEach(member -> member.wire.deliverAll());
        // They enter the line, as who is denied does. Sent by other connections, they could come after the release
        // below, too.
        until("what they had sent has arrived", () -> redis.cli().zcard(name + ":waiters") == 2);
        assertThat(redis.cli().get(bench.lease(name)))
                .as("what arrives late changes nothing")
                .endsWith("-" + last.token());
        last.release();
        assertThat(bench.isFree(name)).isTrue();
    }
}
