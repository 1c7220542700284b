package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.EndReason;
import io.tenure.Lease;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisFenceTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private static final List<TenureEvent> EVENTS = new CopyOnWriteArrayList<>();
    private static RedisLeaseStore store;
    private static RedisClient client;
    private static RedisPort port;
    private static RedisCommands<String, String> cli;
    private String name;
    private String key;
    private RedisFence fence;
    private Claim held;
    private long token;

    @BeforeAll
    static void open() {
        store = RedisLeaseStore.connect(redis.uri());
        store.listen(EVENTS::add);
        client = RedisClient.create(redis.uri());
        port = LettuceStores.port(client);
        cli = redis.cli();
    }

    @AfterAll
    static void close() {
        store.close();
        port.close();
        client.shutdown();
    }

    @BeforeEach
    void hold() {
        name = fresh("job");
        key = fresh("key");
        fence = store.fence(name);
        held = StoreFixture.hold(store, lock(claim(name, "holder")));
        token = held.token();
        EVENTS.clear();
    }

    private void assertStale(ThrowingCallable write, long refused, long mark) {
        assertThatThrownBy(write).isInstanceOfSatisfying(StaleTokenException.class, e -> {
            assertThat(e.name()).isEqualTo(name);
            assertThat(e.token()).isEqualTo(refused);
            assertThat(e.mark()).isEqualTo(mark);
        });
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
    void eval_returns_what_the_body_returns_and_finds_its_own_from_index_two() {
        RedisReply list = fence.eval(
                token,
                "redis.call('SET', KEYS[2], ARGV[2]) redis.call('SET', KEYS[3], ARGV[3])\n return {KEYS[2], 7, {ARGV[3]}}",
                List.of(key + "1", key + "2"),
                List.of("a", "b"));

        assertThat(list.asList().get(0).asString()).isEqualTo(key + "1");
        assertThat(list.asList().get(1).asLong()).isEqualTo(7);
        assertThat(list.asList().get(2).asList().get(0).asString()).isEqualTo("b");
        assertThat(cli.get(key + "2")).isEqualTo("b");
        assertThat(fence.eval(token, "local unused = 1 -- no return", List.of(), List.of())
                        .isNil())
                .isTrue();
        assertThat(fence.eval(token, "return ARGV[2]", List.of(), new byte[] {0, 1, (byte) 0xfe})
                        .asBytes())
                .containsExactly(0, 1, 0xfe);
        assertThat(fence.eval(token, "return redis.call('SET', KEYS[2], 1)", List.of(key))
                        .asString())
                .isEqualTo("OK");
    }

    @Test
    void a_body_sees_nothing_of_the_check() {
        assertThat(fence.eval(token, "return tostring(rawget(_G, 'mark'))", List.of(), List.of())
                        .asString())
                .isEqualTo("nil");
    }

    @Test
    void more_than_256_bodies_are_refused_with_what_to_do() {
        RedisLeaseStore other = RedisLeaseStore.connect(redis.uri());
        try (other) {
            RedisFence many = other.fence(name);
            for (int i = 0; i < 256; i++) {
                many.eval(token, "return " + i, List.of(), List.of());
            }
            assertThatThrownBy(() -> other.fence("another").eval(token, "return 256", List.of(), List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("keys and args");
            assertThat(many.eval(token, "return 255", List.of(), List.of()).asLong())
                    .isEqualTo(255);
        }
    }

    @Test
    void law29_fenced_scripts_survive_script_flush() {
        fence.set(token, key, "1");
        cli.scriptFlush();
        fence.set(token, key, "2");

        assertThat(cli.get(key)).isEqualTo("2");
    }

    @Test
    void a_bound_fence_carries_the_token_of_its_lease_and_refuses_a_lease_of_another_name() {
        BoundRedisFence bound = fence.bind(new FixedLease(name, token));

        bound.set(key, "v");
        bound.batch().hset(key + "h", "f", "w").apply();

        assertThat(bound.token()).isEqualTo(token);
        assertThat(cli.get(key)).isEqualTo("v");
        assertThat(get(bound.async().del(key))).isEqualTo(1);
        assertThatThrownBy(() -> fence.bind(new FixedLease("other", token)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other")
                .hasMessageContaining(name);
    }

    @Test
    void the_asynchronous_twins_do_the_same() {
        AsyncRedisFence async = fence.async();
        get(async.hset(token, key + "h", "f", "v"));
        get(async.set(token, key, "v"));
        assertThat(get(async.batch(token).set(key, "x").del(key + "h").applyAsync()))
                .isEqualTo(2);
        assertThat(get(async.eval(token, "return redis.call('GET', KEYS[2])", List.of(key), List.of()))
                        .asString())
                .isEqualTo("x");
        assertThatThrownBy(() -> get(async.claim(token + 1))).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void a_write_is_awaited_on_an_interrupted_thread_and_the_interrupt_kept() {
        Thread.currentThread().interrupt();

        fence.set(token, key, "v");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(cli.get(key)).isEqualTo("v");
    }

    @Test
    void a_write_that_is_not_answered_in_time_says_that_it_may_have_been_applied() {
        try (RedisLeaseStore impatient = RedisLeaseStore.connect(redis.uri() + "?timeout=100ms")) {
            RedisFence slow = impatient.fence(name);
            cli.clientPause(700);

            assertThatThrownBy(() -> slow.set(token, key, "v"))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContaining("may have been");
        }
    }

    // --- leases kept elsewhere

    @Test
    void law25_an_external_fence_must_be_claimed_first() {
        RedisFence external = RedisFence.external(port, name);

        assertStale(() -> external.set(5, key, "v"), 5, 0);
        external.claim(5);
        external.set(5, key, "v");

        assertThat(cli.get(name + ":mark")).isEqualTo("5");
        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + token);
    }

    @Test
    void law26_claiming_an_external_fence_refuses_lower_tokens_from_then_on() {
        RedisFence external = RedisFence.external(port, name);
        external.claim(5);
        external.claim(5);
        external.claim(9);

        assertStale(() -> external.claim(5), 5, 9);
        assertStale(() -> external.hset(5, key, "f", "v"), 5, 9);
        external.hset(12, key, "f", "v");
        assertStale(() -> external.hset(9, key, "f", "v"), 9, 12);
        assertThat(cli.get(name + ":mark")).isEqualTo("12");
    }

    @Test
    void law25_a_failing_external_write_leaves_the_mark() {
        RedisFence external = RedisFence.external(port, name);
        external.claim(5);
        cli.rpush(key, "x");

        assertThatThrownBy(() -> external.hset(9, key, "f", "v")).isInstanceOf(StoreException.class);

        assertThat(cli.get(name + ":mark")).isEqualTo("5");
    }

    @Test
    void a_mark_that_is_no_number_is_refused_for_good() {
        cli.set(name + ":mark", "abc");

        assertThatThrownBy(() -> RedisFence.external(port, name).claim(5))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("no number");
    }

    private record FixedLease(String name, long token) implements Lease {
        @Override
        public String holder() {
            return "holder";
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public Duration remaining() {
            return TTL;
        }

        @Override
        public void requireHeld() {}

        @Override
        public void requireRemaining(Duration atLeast) {}

        @Override
        public CompletionStage<EndReason> ended() {
            return new CompletableFuture<>();
        }
    }
}
