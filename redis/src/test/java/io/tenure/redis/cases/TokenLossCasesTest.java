package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.TokenRegressed;
import io.tenure.TokenSource;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.RedisStoreOptions;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cases of a server that loses its data. A leader is cut off, another one follows it, and the data is lost. Tokens come
 * from the counter, since a clock would let them rise by itself. Leaders that are stopped: {@link TokenPauseCasesTest}.
 */
class TokenLossCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final ElectorOptions OPTIONS = ElectorOptions.ofTtl(TTL).build();

    private String name;
    private String key;
    private RedisStoreOptions options;
    private Participant old;
    private Participant next;
    private Elector leader;
    private Elector follower;
    private long token;

    @BeforeEach
    void aLeaderAndAFollower() {
        begin(TokenSource.COUNTER);
    }

    private void begin(TokenSource tokens) {
        name = bench.name("report");
        key = name + ":value";
        options = RedisStoreOptions.builder().tokens(tokens).build();
        old = bench.member(options, builder -> builder);
        next = bench.member(options, builder -> builder);
        leader = old.tenure.elector(name, OPTIONS);
        follower = next.tenure.elector(name, OPTIONS);
        // Some terms, so that a counter that begins anew is lower than what there was.
        for (int term = 0; term < 5; term++) {
            leader.campaign().close();
        }
        leader.campaign();
        token = leader.token().orElseThrow();
        old.store.fence(name).set(token, key, "of the old leader");
        follower.campaign();
        until("follows", () -> !next.events(Following.class).isEmpty());
    }

    /** Nothing of the old leader reaches the server any more, but a write that is under way. */
    private void stopTheLeader() {
        for (Verb verb : Verb.values()) {
            old.wire.always(verb, Fault.dropRequest());
        }
        old.wire.losePushes();
    }

    private void assertSucceeded() {
        until("the follower leads", follower::isLeader);
        long successor = follower.token().orElseThrow();
        assertThat(successor).isGreaterThan(token);
        assertRefused(token);
        assertThat(redis.cli().get(key)).isNotEqualTo("late");
        next.store.fence(name).set(successor, key, "of the successor");
        assertRefused(token);
        assertThat(redis.cli().get(key)).isEqualTo("of the successor");
        follower.resign();
        until("leads again", follower::isLeader);
        assertThat(follower.token().orElseThrow()).isGreaterThan(successor);
    }

    private void assertRefused(long stale) {
        RedisFence fence = old.store.fence(name);
        until("the old write is refused", () -> {
            try {
                fence.set(stale, key, "late");
                throw new AssertionError("a stale write was let through");
            } catch (StaleTokenException e) {
                return true;
            } catch (StoreException e) {
                return false; // not connected again yet
            }
        });
    }

    private void assertOneWarning(long found) {
        Bench.pause(Duration.ofMillis(100));
        assertThat(next.events(TokenRegressed.class)).containsExactly(new TokenRegressed(name, found, token));
    }

    @Test
    void case24_when_the_counter_was_deleted_the_next_token_is_greater_the_old_write_refused_and_one_warning_given() {
        stopTheLeader();
        redis.cli().del(name + ":fence");

        assertSucceeded();
        assertOneWarning(0);
    }

    @Test
    void
            case24_when_the_mark_was_deleted_the_next_token_is_greater_the_old_write_refused_and_nothing_had_to_be_healed() {
        stopTheLeader();
        redis.cli().del(name + ":fence:applied");

        assertSucceeded();
        // The counter had it all; a mark may be behind without a loss.
        assertThat(next.events(TokenRegressed.class)).isEmpty();
    }

    @Test
    void case24_when_both_were_deleted_the_next_token_is_greater_the_old_write_refused_and_one_warning_given() {
        stopTheLeader();
        redis.cli().del(name + ":fence", name + ":fence:applied");

        assertSucceeded();
        assertOneWarning(0);
    }

    /** A follower's memory would hide what the server has kept. */
    @ParameterizedTest
    @ValueSource(strings = {":fence", ":fence:applied"})
    void case24_when_only_one_of_counter_and_mark_is_left_a_newcomer_that_remembers_nothing_goes_on_from_it(
            String lost) {
        bench.close(next);
        stopTheLeader();
        redis.cli().del(name + lost);
        // Whoever sees the old lease knows its token.
        until("the old lease is gone", () -> bench.isFree(name));

        Participant newcomer = bench.member(options, builder -> builder);
        Elector elector = newcomer.tenure.elector(name, OPTIONS);
        elector.campaign();

        long successor = elector.token().orElseThrow();
        assertThat(successor).isEqualTo(token + 1);
        assertThat(redis.cli().get(name + ":fence")).isEqualTo("" + successor);
        assertThat(redis.cli().get(name + ":fence:applied")).isEqualTo("" + successor);
        assertRefused(token);
        // It has nothing to compare with.
        assertThat(newcomer.events(TokenRegressed.class)).isEmpty();
    }

    /** Nothing was written yet by the successor's token, and no renewal may restore what is lost. */
    @ParameterizedTest
    @ValueSource(strings = {":fence", ":fence:applied"})
    void case24_when_only_one_of_counter_and_mark_is_left_it_alone_tells_the_successors_writes_from_the_old_ones(
            String lost) {
        stopTheLeader();
        until("the follower leads", follower::isLeader);
        long successor = follower.token().orElseThrow();
        until("was renewed", () -> next.wire.count(Verb.RENEW) > 0);
        next.wire.always(Verb.RENEW, Fault.dropRequest());
        redis.cli().del(name + lost);

        assertRefused(token);
        next.store.fence(name).set(successor, key, "of the successor");
        assertRefused(token);

        assertThat(redis.cli().get(key)).isEqualTo("of the successor");
        assertThat(redis.cli().get(name + ":fence:applied")).isEqualTo("" + successor);
    }

    /** As an early release of the Go library leaves it, which raises the mark by its first write only. */
    @Test
    void case24_a_mark_that_stayed_behind_does_not_let_the_old_write_through() {
        stopTheLeader();
        until("the follower leads", follower::isLeader);
        long successor = follower.token().orElseThrow();
        until("was renewed", () -> next.wire.count(Verb.RENEW) > 0);
        next.wire.always(Verb.RENEW, Fault.dropRequest());
        redis.cli().set(name + ":fence:applied", "" + token);

        assertRefused(token);
        next.store.fence(name).set(successor, key, "of the successor");
        assertRefused(token);

        assertThat(redis.cli().get(key)).isEqualTo("of the successor");
        assertThat(redis.cli().get(name + ":fence:applied")).isEqualTo("" + successor);
    }

    @Test
    void case24_what_was_deleted_while_the_leader_renews_is_restored_and_told_once() {
        for (List<String> lost : List.of(
                List.of(name + ":fence"),
                List.of(name + ":fence:applied"),
                List.of(name + ":fence", name + ":fence:applied"))) {
            int told = old.events(TokenRegressed.class).size();
            redis.cli().del(lost.toArray(String[]::new));
            until("told", () -> old.events(TokenRegressed.class).size() > told);
            assertThat(redis.cli().get(name + ":fence")).isEqualTo("" + token);
            assertThat(redis.cli().get(name + ":fence:applied")).isEqualTo("" + token);
            Bench.pause(OPTIONS.renewEvery().multipliedBy(2));
            assertThat(old.events(TokenRegressed.class))
                    .hasSize(told + 1)
                    .last()
                    .isEqualTo(new TokenRegressed(name, 0, token));
        }
        assertThat(leader.token()).hasValue(token);
        old.store.fence(name).set(token, key, "still allowed");
    }

    /** The same with tokens from the server's clock, as is usual, where nobody needs to remember anything. */
    @Nested
    class WithTheClock {
        @BeforeEach
        void withTheClock() {
            bench.close(old);
            bench.close(next);
            begin(TokenSource.STORE_CLOCK);
        }

        @Test
        void case24_after_a_flush_a_newcomer_that_remembers_nothing_gets_a_greater_token() {
            stopTheLeader();
            bench.close(next);
            redis.cli().flushall();

            Participant member = bench.member();
            Elector newcomer = member.tenure.elector(name, OPTIONS);
            newcomer.campaign();

            assertThat(newcomer.token().orElseThrow()).isGreaterThan(token);
            assertThat(member.events(TokenRegressed.class)).isEmpty();
            assertRefused(token);
        }

        @Test
        void case24_after_a_restart_a_newcomer_that_remembers_nothing_gets_a_greater_token() {
            stopTheLeader();
            bench.close(next);
            redis.stop();
            redis.start();

            Participant member = bench.member();
            Elector newcomer = member.tenure.elector(name, OPTIONS);
            newcomer.campaign();

            assertThat(newcomer.token().orElseThrow()).isGreaterThan(token);
            assertThat(member.events(TokenRegressed.class)).isEmpty();
            assertRefused(token);
        }
    }
}
