package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of the order of tokens, and of writes that are guarded by them. */
class TokenOrderCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(2);

    @Test
    void case22_tokens_of_1000_acquisitions_by_8_clients_strictly_increase_in_the_servers_order() {
        String name = bench.name("contended");
        MonitorTap tap = bench.tap();
        // Leases that end early are told to nobody: this looks every 20 ms.
        LockOptions options =
                LockOptions.ofTtl(TTL).retryEvery(Duration.ofMillis(2)).build();
        Queue<Long> tokens = new ConcurrentLinkedQueue<>();
        AtomicInteger early = new AtomicInteger();
        AtomicInteger lost = new AtomicInteger();
        List<Doing<Boolean>> clients = new ArrayList<>();
        for (int client = 0; client < 8; client++) {
            LeaseLock lock = bench.member().tenure.lock(name, options);
            Random random = new Random(client);
            clients.add(Doing.of(() -> {
                for (int i = 0; i < 125; i++) {
                    HeldLock held = lock.acquire();
                    tokens.add(held.token());
                    if (random.nextInt(8) == 0) {
                        early.incrementAndGet();
                        redis.cli().pexpire(bench.lease(name), 1 + random.nextInt(3));
                        Bench.pause(Duration.ofMillis(random.nextInt(8)));
                    }
                    try {
                        held.release();
                    } catch (LeaseLostException e) {
                        lost.incrementAndGet();
                    }
                }
                return true;
            }));
        }

        clients.forEach(Doing::result);

        List<Long> written = tap.tokensWritten(bench.lease(name));
        assertThat(written).hasSize(1_000);
        assertThat(written).isSorted().doesNotHaveDuplicates();
        assertThat(tokens).as("each seen by exactly one").containsExactlyInAnyOrderElementsOf(written);
        assertThat(early.get()).isGreaterThan(50);
        assertThat(lost.get()).as("some early ends were noticed").isPositive().isLessThanOrEqualTo(early.get());
    }

    @Test
    void
            case23_a_guarded_write_after_a_pause_is_refused_before_the_successor_has_written_and_the_successors_is_applied()
                    throws Exception {
        String name = bench.name("report");
        String key = name + ":value";
        Participant paused = bench.member();
        Participant successor = bench.member();
        RedisFence fence = paused.store.fence(name);
        LockOptions options = LockOptions.ofTtl(TTL).build();
        HeldLock first = paused.tenure.lock(name, options).tryAcquire().orElseThrow();
        fence.set(first.token(), key, "before the pause");

        HeldLock second = successor.tenure.lock(name, options).acquire();

        assertThat(first.isHeld()).isFalse();
        assertStale(() -> fence.set(first.token(), key, "after the pause"), first.token(), second.token());
        assertThat(redis.cli().get(key)).isEqualTo("before the pause");
        successor.store.fence(name).set(second.token(), key, "of the successor");
        assertThat(redis.cli().get(key)).isEqualTo("of the successor");
        assertStale(() -> fence.del(first.token(), key), first.token(), second.token());
        assertStale(() -> fence.bind(first).set(key, "bound"), first.token(), second.token());
        assertStale(() -> fence.claim(first.token()), first.token(), second.token());
        assertThat(redis.cli().get(key)).isEqualTo("of the successor");
    }

    private static void assertStale(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable write, long refused, long mark) {
        assertThatThrownBy(write).isInstanceOfSatisfying(StaleTokenException.class, stale -> {
            assertThat(stale.token()).isEqualTo(refused);
            assertThat(stale.mark()).isEqualTo(mark);
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53})
    void case23_tokens_that_were_never_minted_are_refused_in_every_form(long token) {
        String name = bench.name("report");
        String key = name + ":value";
        Participant member = bench.member();
        RedisFence fence = member.store.fence(name);
        HeldLock held = member.tenure.lock(name).tryAcquire().orElseThrow();
        fence.set(held.token(), key, "good");

        assertRefused(() -> fence.set(token, key, "bad"), token);
        assertRefused(() -> fence.hset(token, key + ":hash", "field", "bad"), token);
        assertRefused(() -> fence.del(token, key), token);
        assertRefused(() -> fence.batch(token).set(key, "bad").apply(), token);
        assertRefused(() -> fence.claim(token), token);
        assertRefused(() -> fence.eval(token, "return redis.call('DEL', KEYS[2])", List.of(key), List.of()), token);

        assertThat(redis.cli().get(key)).isEqualTo("good");
        assertThat(redis.cli().exists(key + ":hash")).isZero();
        fence.set(held.token(), key, "still good");
        assertThat(redis.cli().get(key)).isEqualTo("still good");
    }

    /** Where nothing stands that a token could be compared with: 0 is what a missing counter counts as. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53})
    void case23_tokens_that_were_never_minted_are_refused_for_a_name_that_was_never_used_and_nothing_is_sent(
            long token) {
        String name = bench.name("never-used");
        String key = name + ":value";
        RedisFence fence = bench.member().store.fence(name);
        MonitorTap tap = bench.tap();

        assertRefused(() -> fence.set(token, key, "bad"), token);
        assertRefused(() -> fence.hset(token, key, "field", "bad"), token);
        assertRefused(() -> fence.del(token, key), token);
        assertRefused(() -> fence.batch(token).set(key, "bad").apply(), token);
        assertRefused(() -> fence.claim(token), token);
        assertRefused(() -> fence.eval(token, "return redis.call('DEL', KEYS[2])", List.of(key), List.of()), token);

        assertThat(tap.commandsOf(name)).isEmpty();
        assertThat(redis.cli().keys(name + "*")).isEmpty();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable write, long token) {
        assertThatThrownBy(write)
                .isInstanceOfSatisfying(
                        StaleTokenException.class,
                        stale -> assertThat(stale.token()).isEqualTo(token));
    }
}
