package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.StoreException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fences of leases that are kept elsewhere: laws 25 and 26. */
class RedisExternalFenceTest {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    private final RedisPort port = redis.port();
    private final RedisCommands<String, String> cli = redis.cli();
    private final String name = fresh("job");
    private final String key = fresh("key");
    private final long token =
            granted(redis.store(), lock(claim(name, "holder"))).token();

    private void assertStale(ThrowingCallable write, long refused, long mark) {
        StoreFixture.assertStale(write, name, refused, mark);
    }

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
}
