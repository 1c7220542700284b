package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.StoreException;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How tokens rise, what they are refused for, and how long they are kept: laws 2, 6 and 7. */
class RedisTokensTest {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    private final RedisLeaseStore store = redis.store();
    private final RedisLeaseStore counting = redis.counting();
    private final RedisCommands<String, String> cli = redis.cli();
    private final String name = fresh("job");

    @Test
    void law02_tokens_rise_across_release_expiry_forced_release_and_loss_of_data() {
        List<Long> tokens = new ArrayList<>();
        Claim first = hold(store, election(claim(name, "a")));
        tokens.add(first.token());
        release(store, first);
        Claim second = hold(store, election(claim(name, "b")));
        tokens.add(second.token());
        get(store.evict(get(store.find(name)).orElseThrow()));
        tokens.add(hold(store, election(claim(name, "c"))).token());
        cli.del(name + ":leader", name + ":fence", name + ":fence:applied");
        tokens.add(hold(store, election(claim(name, "d"))).token());

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(tokens).allMatch(token -> token > 1_500_000_000_000_000L);
    }

    @Test
    void law06_a_token_is_above_counter_mark_and_floor() {
        cli.set(name + ":fence", "10");
        cli.set(name + ":fence:applied", "20");
        assertThat(granted(counting, election(claim(name, "a"))).token()).isEqualTo(21);
        cli.del(name + ":leader");

        Acquisition.Granted healed = granted(counting, floor(election(claim(name, "b")), 100));

        assertThat(healed.token()).isEqualTo(101);
        assertThat(healed.regressedTo()).isEqualTo(OptionalLong.of(21));
    }

    @Test
    void law06_a_counter_counts_from_one_and_never_expires() {
        Claim held = hold(counting, lock(claim(name, "a")));
        assertThat(held.token()).isEqualTo(1);
        assertThat(cli.pttl(name + ":fence")).isEqualTo(-1);
        release(counting, held);
        assertThat(hold(counting, lock(claim(name, "a"))).token()).isEqualTo(2);
    }

    @Test
    void law06_a_mint_at_the_limit_or_from_no_number_is_refused_before_anything_is_written() {
        for (String bad :
                List.of("9007199254740991", "9007199254740992", "99999999999999999999", "abc", "1e5", "-4", "")) {
            cli.set(name + ":fence", bad);

            assertThatThrownBy(() -> get(store.acquire(election(claim(name, "a")))))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isFalse())
                    .hasMessageContaining(name);

            assertThat(cli.exists(name + ":leader")).isZero();
            assertThat(cli.get(name + ":fence")).isEqualTo(bad);
        }
        cli.set(name + ":fence", "9007199254740990");
        assertThat(granted(store, election(claim(name, "a"))).token()).isEqualTo(9007199254740991L);
    }

    @Test
    void law06_a_wrong_type_is_refused_for_good_and_left_alone() {
        for (String suffix : List.of(":leader", ":fence", ":fence:applied")) {
            String other = fresh("typed");
            cli.rpush(other + suffix, "x");

            assertThatThrownBy(() -> get(store.acquire(election(claim(other, "a")))))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isFalse())
                    .hasMessageContaining(other)
                    .hasMessageContaining("another type");

            assertThat(cli.type(other + suffix)).isEqualTo("list");
        }
    }

    @Test
    void law07_tokens_of_locks_expire_and_those_of_elections_do_not() {
        Claim lock = hold(store, lock(claim(name, "a")));
        assertThat(cli.pttl(name + ":fence")).isBetween(3_500_000L, 4_050_000L);
        assertThat(cli.pttl(name + ":fence:applied")).isBetween(3_500_000L, 4_050_000L);
        release(store, lock);

        Claim election = hold(store, election(claim(name, "a")));
        assertThat(cli.pttl(name + ":fence")).isEqualTo(-1);
        assertThat(cli.pttl(name + ":fence:applied")).isEqualTo(-1);
        release(store, election);

        Claim again = hold(store, lock(claim(name, "a")));
        renew(store, again, LeaseKind.LOCK);
        assertThat(cli.pttl(name + ":fence")).isEqualTo(-1);
        assertThat(cli.pttl(name + ":fence:applied")).isEqualTo(-1);
    }

    @Test
    void law07_the_retention_is_at_least_twice_the_ttl() {
        hold(store, ttl(lock(claim(name, "a")), Duration.ofHours(10)));

        assertThat(cli.pttl(name + ":fence")).isGreaterThan(Duration.ofHours(19).toMillis());
    }

    @Test
    void law07_a_renewal_is_a_use_and_an_elections_makes_permanent() {
        Claim held = hold(store, lock(claim(name, "a")));
        cli.pexpire(name + ":fence", 60_000);
        cli.pexpire(name + ":fence:applied", 60_000);
        renew(store, held, LeaseKind.LOCK);
        assertThat(cli.pttl(name + ":fence")).isGreaterThan(3_500_000);
        assertThat(cli.pttl(name + ":fence:applied")).isGreaterThan(3_500_000);

        renew(store, held, LeaseKind.ELECTION);
        assertThat(cli.pttl(name + ":fence")).isEqualTo(-1);
        assertThat(cli.pttl(name + ":fence:applied")).isEqualTo(-1);
    }
}
