package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whose lease it is, and that only its claim renews, releases or takes it over: laws 3, 4 and 5. */
class RedisClaimTest {
    @RegisterExtension
    static final RedisStoreRule redis = new RedisStoreRule();

    private final RedisLeaseStore store = redis.store();
    private final RedisCommands<String, String> cli = redis.cli();
    private final String name = fresh("job");

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
        assertThat(renew(store, held, LeaseKind.ELECTION))
                .as("told is the lower one")
                .isEqualTo(new Renewal.Renewed(OptionalLong.of(5)));
        assertThat(cli.get(name + ":fence")).isEqualTo("" + held.token());
        assertThat(cli.get(name + ":fence:applied")).isEqualTo("" + held.token());
    }
}
