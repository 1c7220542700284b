package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.EndReason;
import io.tenure.Lease;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The forms of a fenced write: bodies of the user, bound to a lease, asynchronous, interrupted, too late. */
class RedisFenceFormsTest {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    private final RedisLeaseStore store = redis.store();
    private final RedisCommands<String, String> cli = redis.cli();
    private final String name = fresh("job");
    private final String key = fresh("key");
    private final RedisFence fence = store.fence(name);
    private final long token = granted(store, lock(claim(name, "holder"))).token();

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
    void a_batch_takes_as_many_writes_as_the_server_does_without_stopping_for_others_and_no_more() {
        FenceBatch batch = fence.batch(token);
        for (int i = 0; i < FenceBatch.MOST_WRITES; i++) {
            batch.hset(key, "field" + i, "v");
        }

        assertThatThrownBy(() -> batch.del(key))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("10000")
                .hasMessageContaining(key);
        batch.apply();

        assertThat(cli.hlen(key)).isEqualTo(FenceBatch.MOST_WRITES);
    }

    @Test
    void a_body_sees_nothing_of_the_check() {
        assertThat(fence.eval(token, "return tostring(rawget(_G, 'mark'))", List.of(), List.of())
                        .asString())
                .isEqualTo("nil");
    }

    @Test
    void law25_a_body_that_closes_its_function_and_goes_on_is_not_run_before_the_check() {
        assertThatThrownBy(() -> fence.eval(token - 1, "end redis.call('SET', KEYS[2], 'x') do", List.of(key)))
                .isInstanceOf(StaleTokenException.class);

        assertThat(cli.get(key)).isNull();
    }

    @Test
    void law30_a_fence_takes_the_names_that_leases_take() {
        for (String bad : List.of("", "a\nb", "x".repeat(513))) {
            assertThatThrownBy(() -> store.fence(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("name");
        }
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
