package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.spi.Claim;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which writes a fence lets pass and which it refuses, and what both leave: laws 7, 25, 26 and 29. */
class RedisFenceTest {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    private static final List<TenureEvent> EVENTS = new CopyOnWriteArrayList<>();
    private final RedisLeaseStore store = redis.store();
    private final RedisPort port = redis.port();
    private final RedisCommands<String, String> cli = redis.cli();
    private final String name = fresh("job");
    private final String key = fresh("key");
    private final RedisFence fence = store.fence(name);
    private final Claim held = StoreFixture.hold(store, lock(claim(name, "holder")));
    private final long token = held.token();

    @BeforeAll
    static void listen() {
        redis.store().listen(EVENTS::add);
    }

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    private void assertStale(ThrowingCallable write, long refused, long mark) {
        StoreFixture.assertStale(write, name, refused, mark);
    }

    @Test
    void law25_the_current_token_writes_in_every_form() {
        fence.hset(token, key + "h", "f", "v");
        fence.hset(token, key + "h", "g", new byte[] {0, (byte) 0xff});
        fence.set(token, key + "s", "v");
        fence.set(token, key + "b", new byte[] {1});
        fence.set(token, key + "d", "v");
        assertThat(fence.del(token, key + "d", key + "missing")).isEqualTo(1);
        fence.batch(token)
                .hset(key + "h", "i", "w")
                .set(key + "t", "x")
                .set(key + "e", "x")
                .del(key + "e")
                .apply();
        fence.claim(token);

        assertThat(cli.hget(key + "h", "f")).isEqualTo("v");
        assertThat(cli.hstrlen(key + "h", "g")).isEqualTo(2);
        assertThat(cli.get(key + "s")).isEqualTo("v");
        assertThat(cli.get(key + "b")).isEqualTo("\u0001");
        assertThat(cli.exists(key + "d", key + "e")).isZero();
        assertThat(cli.hget(key + "h", "i")).isEqualTo("w");
        assertThat(cli.get(key + "t")).isEqualTo("x");
        assertThat(EVENTS).isEmpty();
    }

    @Test
    void law26_a_predecessor_is_refused_from_the_moment_of_the_next_grant_in_every_form() {
        release(store, held);
        long next = StoreFixture.hold(store, lock(claim(name, "next"))).token();

        assertStale(() -> fence.hset(token, key, "f", "v"), token, next);
        assertStale(() -> fence.set(token, key, "v"), token, next);
        assertStale(() -> fence.del(token, key), token, next);
        assertStale(() -> fence.eval(token, "redis.call('SET', KEYS[2], 'v')", List.of(key), List.of()), token, next);
        assertStale(() -> fence.batch(token).set(key, "v").apply(), token, next);
        assertStale(() -> fence.claim(token), token, next);

        assertThat(cli.exists(key)).isZero();
        assertThat(EVENTS).hasSize(6).containsOnly(new TenureEvent.FenceRejected(name, token, next));
    }

    @Test
    void law26_a_grant_stamps_the_mark_too_so_that_a_lost_counter_lets_no_predecessor_pass() {
        String role = fresh("role");
        RedisFence guard = store.fence(role);
        Claim first = StoreFixture.hold(store, election(claim(role, "first")));
        guard.set(first.token(), key, "first");
        release(store, first);
        long next = StoreFixture.hold(store, election(claim(role, "next"))).token();

        cli.del(role + ":fence");

        StoreFixture.assertStale(() -> guard.set(first.token(), key, "late"), role, first.token(), next);
        assertThat(cli.get(key)).isEqualTo("first");
    }

    @Test
    void law25_tokens_that_were_never_minted_are_refused() {
        assertStale(() -> fence.set(token + 1, key, "v"), token + 1, token);
        assertStale(() -> fence.set(token - 1, key, "v"), token - 1, token);
        assertThat(cli.exists(key)).isZero();
        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + token);
    }

    @Test
    void law25_tokens_out_of_range_are_refused_without_asking_the_server() {
        RedisLeaseStore closed = RedisLeaseStore.connect(redis.uri());
        RedisFence unasked = closed.fence(name);
        closed.close();

        for (long bad : new long[] {0, -1, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE}) {
            assertStale(() -> unasked.set(bad, key, "v"), bad, 0);
            assertStale(() -> unasked.claim(bad), bad, 0);
            assertStale(() -> RedisFence.external(port, name).claim(bad), bad, 0);
        }
    }

    @Test
    void law25_a_lost_mark_leaves_the_holder_able_to_write_and_its_predecessor_refused() {
        cli.del(name + ":fence:applied");

        assertStale(() -> fence.set(token - 5, key, "v"), token - 5, token);
        fence.set(token, key, "v");

        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + token);
        assertThat(cli.pttl(name + ":fence:applied")).isPositive();
    }

    @Test
    void law25_with_counter_and_mark_lost_every_token_is_refused() {
        cli.del(name + ":fence", name + ":fence:applied");

        assertStale(() -> fence.set(token, key, "v"), token, 0);
        assertThat(cli.exists(key, name + ":fence:applied")).isZero();
    }

    @Test
    void law25_a_counter_ahead_of_the_mark_refuses() {
        cli.set(name + ":fence", "" + (token + 3));

        assertStale(() -> fence.set(token, key, "v"), token, token + 3);
    }

    @Test
    void law25_a_failing_write_leaves_the_mark() {
        cli.del(name + ":fence:applied");
        cli.rpush(key, "x");

        assertThatThrownBy(() -> fence.hset(token, key, "f", "v"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining(name);
        assertThatThrownBy(() -> fence.eval(token, "error('no')", List.of(), List.of()))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() ->
                        fence.eval(token, "return redis.pcall('HSET', KEYS[2], 'f', 'v')", List.of(key), List.of()))
                .isInstanceOf(StoreException.class);

        assertThat(cli.exists(name + ":fence:applied")).isZero();
    }

    @Test
    void law07_a_fenced_write_is_a_use_of_counter_and_mark() {
        cli.pexpire(name + ":fence", 60_000);
        cli.pexpire(name + ":fence:applied", 60_000);

        fence.set(token, key, "v");

        assertThat(cli.pttl(name + ":fence")).isGreaterThan(3_500_000);
        assertThat(cli.pttl(name + ":fence:applied")).isGreaterThan(3_500_000);
    }

    @Test
    void law07_a_fenced_write_gives_an_elections_tokens_no_expiry() {
        String role = fresh("role");
        long leads = StoreFixture.hold(store, election(claim(role, "a"))).token();

        store.fence(role).set(leads, key, "v");

        assertThat(cli.pttl(role + ":fence")).isEqualTo(-1);
        assertThat(cli.pttl(role + ":fence:applied")).isEqualTo(-1);
    }

    @Test
    void law29_fenced_scripts_survive_script_flush() {
        fence.set(token, key, "1");
        cli.scriptFlush();
        fence.set(token, key, "2");

        assertThat(cli.get(key)).isEqualTo("2");
    }
}
