package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TokenSource;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisLeaseStoreTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private static RedisLeaseStore store;
    private static RedisLeaseStore counting;
    private static RedisCommands<String, String> cli;
    private String name;

    @BeforeAll
    static void open() {
        store = RedisLeaseStore.connect(redis.uri());
        counting = RedisLeaseStore.connect(
                redis.uri(),
                RedisStoreOptions.builder().tokens(TokenSource.COUNTER).build());
        cli = redis.cli();
    }

    @AfterAll
    static void close() {
        store.close();
        counting.close();
    }

    @BeforeEach
    void freshName() {
        name = fresh("job");
    }

    // --- exclusion

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

    // --- tokens

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
    void law03_repeating_the_same_attempt_returns_the_same_token_and_refreshes_the_ttl() {
        LeaseRequest attempt = ttl(election(claim(name, "a")), Duration.ofSeconds(5));
        long token = granted(store, attempt).token();
        cli.set(name + ":fence", "7");
        cli.pexpire(name + ":leader", 500);

        assertThat(granted(store, attempt).token()).isEqualTo(token);
        assertThat(cli.pttl(name + ":leader")).isGreaterThan(3_000);
        assertThat(cli.get(name + ":fence")).isEqualTo("7");
    }

    @Test
    void law04_a_leftover_is_taken_over_only_when_asked_and_only_by_a_higher_attempt() {
        Claim first = hold(store, election(claim(name, "a")));
        Claim next = new Claim(name, "a", first.incarnation(), 2, 0);
        Claim late = new Claim(name, "a", first.incarnation(), 1, 0);
        Claim restarted = new Claim(name, "a", fresh("inc"), 1, 0);

        denied(store, takeover(election(next), Takeover.NONE));
        denied(store, takeover(election(restarted), Takeover.SAME_INCARNATION));
        Claim second = hold(store, takeover(election(next), Takeover.SAME_INCARNATION));
        assertThat(second.token()).isGreaterThan(first.token());
        denied(store, takeover(election(late), Takeover.SAME_INCARNATION));
        denied(store, takeover(election(claim(name, "b")), Takeover.ANY_INCARNATION));
        Claim third = hold(store, takeover(election(restarted), Takeover.ANY_INCARNATION));
        assertThat(third.token()).isGreaterThan(second.token());
        assertThat(renew(store, second, LeaseKind.ELECTION)).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void law04_a_value_not_in_our_form_is_somebody_elses_and_never_taken_over() {
        for (String foreign :
                List.of("host-1", "a", "a#x-1-", "a#x-01-5", "a#x-1-0", "#x-1-5", "a#x-1-9007199254740992")) {
            cli.set(name + ":leader", foreign, SetArgs.Builder.px(5_000));
            cli.set(name + ":fence", "42");

            LeaseRecord current = denied(store, takeover(election(claim(name, "a")), Takeover.ANY_INCARNATION))
                    .current();

            assertThat(current.holder()).isEqualTo(foreign);
            assertThat(current.incarnation()).isEmpty();
            assertThat(current.isOurs()).isFalse();
            assertThat(current.token()).isEqualTo(42);
        }
    }

    @Test
    void law05_renewal_and_release_are_guarded_by_the_whole_claim() {
        Claim held = hold(store, election(claim(name, "a")));
        List<Claim> others = List.of(
                held.withToken(held.token() + 1),
                new Claim(name, "b", held.incarnation(), 1, held.token()),
                new Claim(name, "a", "other", 1, held.token()),
                new Claim(name, "a", held.incarnation(), 2, held.token()));

        for (Claim other : others) {
            assertThat(renew(store, other, LeaseKind.ELECTION)).isInstanceOf(Renewal.Lost.class);
            assertThat(release(store, other)).isFalse();
        }
        assertThat(renew(store, held, LeaseKind.ELECTION)).isEqualTo(new Renewal.Renewed(OptionalLong.empty()));
        assertThat(release(store, held)).isTrue();
        assertThat(release(store, held)).isFalse();
        assertThat(renew(store, held, LeaseKind.ELECTION)).isEqualTo(new Renewal.Lost(Optional.empty()));
    }

    @Test
    void law05_a_renewal_answers_lost_when_the_mark_has_passed_the_token() {
        Claim held = hold(store, election(claim(name, "a")));
        cli.set(name + ":fence:applied", "" + (held.token() + 1));

        Renewal answer = renew(store, held, LeaseKind.ELECTION);

        assertThat(answer).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void law05_a_renewal_restores_missing_or_lower_counter_and_mark() {
        Claim held = hold(store, election(claim(name, "a")));
        cli.del(name + ":fence", name + ":fence:applied");
        assertThat(renew(store, held, LeaseKind.ELECTION)).isEqualTo(new Renewal.Renewed(OptionalLong.of(0)));
        assertThat(cli.get(name + ":fence")).isEqualTo("" + held.token());
        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + held.token());

        cli.set(name + ":fence", "5");
        cli.set(name + ":fence:applied", "6");
        assertThat(renew(store, held, LeaseKind.ELECTION)).isEqualTo(new Renewal.Renewed(OptionalLong.of(6)));
        assertThat(cli.get(name + ":fence")).isEqualTo("" + held.token());
        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + held.token());
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

    // --- batches

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

    // --- release

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

    // --- listing

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

    // --- survival

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
