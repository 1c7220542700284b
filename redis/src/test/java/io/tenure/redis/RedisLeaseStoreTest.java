package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases in Redis from grant to release, listed, and through what a server goes through. */
class RedisLeaseStoreTest {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    private final RedisLeaseStore store = redis.store();
    private final RedisCommands<String, String> cli = redis.cli();
    private final String name = fresh("job");

    // ---- exclusion

    @Test
    void law01_a_live_lease_is_denied_and_the_denial_names_holder_token_remaining_time_and_place() {
        Claim held = hold(store, election(claim(name, "a#-b")));

        Acquisition.Denied denied = denied(store, waiting(lock(claim(name, "c")), TTL));

        assertThat(denied.place()).isEqualTo(1);
        LeaseRecord current = denied.current();
        assertThat(current.name()).isEqualTo(name);
        assertThat(current.holder()).isEqualTo("a#-b");
        assertThat(current.incarnation()).isEqualTo(held.incarnation());
        assertThat(current.attempt()).isEqualTo(1);
        assertThat(current.token()).isEqualTo(held.token());
        assertThat(current.remaining()).isBetween(TTL.minusSeconds(10), TTL);
        assertThat(denied(store, lock(claim(name, "d"))).place()).isZero();
    }

    @Test
    void law01_a_lease_is_free_again_when_its_ttl_is_over() {
        hold(store, ttl(lock(claim(name, "a")), Duration.ofMillis(40)));

        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .until(() -> get(store.find(name)).isEmpty());

        granted(store, lock(claim(name, "b")));
    }

    @Test
    void the_value_has_the_documented_form() {
        Claim held = hold(store, lock(claim(name, "a")));

        assertThat(cli.get(name + ":leader")).isEqualTo("a#" + held.incarnation() + "-1-" + held.token());
        assertThat(cli.get(name + ":fence")).isEqualTo("" + held.token()).doesNotContain("e");
        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + held.token());
    }

    // ---- batches

    @Test
    void many_renewals_each_have_their_own_fate() {
        List<RenewRequest> requests = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            Claim held = hold(store, election(claim(name + "-" + i, "a")));
            if (i % 50 == 1) {
                cli.del(held.name() + ":leader");
            } else if (i % 50 == 2) {
                cli.del(held.name() + ":leader");
                cli.rpush(held.name() + ":leader", "x");
            } else if (i % 50 == 3) {
                cli.set(held.name() + ":fence", "nonsense");
            }
            requests.add(new RenewRequest(held, LeaseKind.ELECTION, TTL));
        }

        List<CompletionStage<Renewal>> answers = store.renew(requests);

        assertThat(answers).hasSize(250);
        IntStream.range(0, 250).forEach(i -> {
            switch (i % 50) {
                case 1 -> assertThat(get(answers.get(i))).isEqualTo(new Renewal.Lost(Optional.empty()));
                case 2 ->
                    assertThatThrownBy(() -> get(answers.get(i)))
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining(name + "-" + i)
                            .hasMessageContaining("WRONGTYPE");
                case 3 -> assertThatThrownBy(() -> get(answers.get(i))).hasMessageContaining("no number");
                default -> assertThat(get(answers.get(i))).isInstanceOf(Renewal.Renewed.class);
            }
        });
    }

    // ---- release

    @Test
    void a_release_without_a_token_frees_whatever_this_attempt_was_granted() {
        LeaseRequest attempt = election(claim(name, "a"));
        granted(store, attempt);
        Claim other = new Claim(name, "a", attempt.claim().incarnation(), 11, 0);

        assertThat(release(store, other)).isFalse();
        assertThat(release(store, attempt.claim())).isTrue();
        assertThat(get(store.find(name))).isEmpty();
    }

    @Test
    void a_release_can_keep_the_name_taken() {
        Claim held = hold(store, lock(claim(name, "a")));

        assertThat(get(store.release(new ReleaseRequest(held, Duration.ofSeconds(5), ReleaseMode.PLAIN))))
                .isTrue();

        assertThat(cli.pttl(name + ":leader")).isBetween(1L, 5_000L);
        denied(store, lock(claim(name, "b")));
    }

    @Test
    void law12_a_burning_release_raises_counter_and_mark_at_once() {
        Claim held = hold(store, lock(claim(name, "a")));

        assertThat(burn(store, held)).isTrue();

        assertThat(cli.get(name + ":fence")).isEqualTo("" + (held.token() + 1));
        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + (held.token() + 1));
        assertThat(cli.pttl(name + ":fence")).isPositive();
    }

    @Test
    void an_eviction_ends_exactly_the_lease_that_was_seen_and_raises_the_mark() {
        Claim held = hold(store, election(claim(name, "a")));
        LeaseRecord seen = get(store.find(name)).orElseThrow();
        renew(store, held, LeaseKind.ELECTION);

        assertThat(get(store.evict(seen))).isTrue();
        assertThat(get(store.evict(seen))).isFalse();
        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + (held.token() + 1));

        cli.set(name + ":leader", "go-host", SetArgs.Builder.px(5_000));
        assertThat(get(store.evict(seen))).isFalse();
        assertThat(get(store.evict(get(store.find(name)).orElseThrow()))).isTrue();
        assertThat(cli.exists(name + ":leader")).isZero();
    }

    // ---- listing

    @Test
    void leases_are_listed_by_literal_prefix_in_order_up_to_the_limit() {
        for (String suffix : List.of("c", "a", "*x", "b", "\\y", "[z]")) {
            hold(store, election(claim(name + "[*?" + suffix, "h-" + suffix)));
        }
        hold(store, election(claim(name + "zz", "other")));
        cli.rpush(name + "[*?list:leader", "x");

        assertThat(get(store.list(name + "[*?", 100)))
                .extracting(LeaseRecord::name)
                .containsExactly(
                        name + "[*?*x", name + "[*?[z]", name + "[*?\\y", name + "[*?a", name + "[*?b", name + "[*?c");
        assertThat(get(store.list(name + "[*?", 2))).hasSize(2);
        assertThat(get(store.list(name + "[*?", 0))).isEmpty();
    }

    @Test
    void law30_names_and_holders_are_any_text() {
        String odd = name + " Größe 日本 😀 {a}:leader";
        Claim held = hold(store, lock(claim(odd, "h#1-2-3 ü")));

        LeaseRecord found = get(store.find(odd)).orElseThrow();

        assertThat(found.holder()).isEqualTo("h#1-2-3 ü");
        assertThat(found.token()).isEqualTo(held.token());
        assertThat(release(store, held)).isTrue();
        assertThat(get(store.find(odd.toUpperCase(java.util.Locale.ROOT)))).isEmpty();
    }

    // ---- survival

    @Test
    void law29_scripts_survive_script_flush() {
        Claim held = hold(store, lock(claim(name, "a")));
        cli.scriptFlush();
        assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
        cli.scriptFlush();
        assertThat(release(store, held)).isTrue();
    }

    @Test
    void a_full_memory_refuses_grants_and_lets_renewals_and_releases_pass() {
        Claim held = hold(store, lock(claim(name, "a")));
        Claim burning = hold(store, lock(claim(name + "b", "a")));
        Claim bare = hold(store, lock(claim(name + "c", "a")));
        cli.del(name + "c:fence", name + "c:fence:applied");
        cli.configSet("maxmemory", "1");
        try {
            assertThatThrownBy(() -> get(store.acquire(lock(claim(name + "d", "a")))))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isTrue());
            assertThat(denied(store, waiting(lock(claim(name, "b")), TTL)).place())
                    .isZero();
            assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
            assertThat(renew(store, bare, LeaseKind.LOCK)).isEqualTo(new Renewal.Renewed(OptionalLong.of(0)));
            assertThat(release(store, held)).isTrue();
            assertThat(burn(store, burning)).isTrue();
        } finally {
            cli.configSet("maxmemory", "0");
        }
        assertThat(cli.get(name + "b:fence:applied")).isEqualTo("" + (burning.token() + 1));
        assertThat(cli.get(name + "c:fence:applied")).isEqualTo("" + bare.token());
    }
}
