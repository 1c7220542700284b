package io.tenure.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.TokenRegressed;
import io.tenure.TenureEvent.WorkFailed;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server of a mixed fleet loses its data; what happens then depends on who is elected first. */
class MixedFleetLossTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Fleet fleet = new Fleet(redis);

    private GoInstance go;

    /** So that 1 is lower than what there was. */
    @BeforeEach
    void someTermsInGo() {
        go = fleet.go();
        for (int term = 0; term < 4; term++) {
            go.elected(Fleet.LONG);
        }
        go.release();
    }

    private static void lose(JavaInstance... connected) {
        // Nobody's renewal or attempt comes between the loss and whoever is elected first.
        List.of(connected).forEach(JavaInstance::cutOff);
        redis.cli().flushall();
    }

    private void assertRefused(JavaInstance java, long token, long mark) {
        assertThatThrownBy(() -> java.fence.set(token, fleet.resource(), "stale"))
                .isInstanceOfSatisfying(
                        StaleTokenException.class,
                        stale -> assertThat(stale.mark()).isEqualTo(mark));
        assertThat(redis.cli().get(fleet.resource())).isNotEqualTo("stale");
    }

    @ParameterizedTest
    @EnumSource(TokenSource.class)
    void
            law06_with_go_first_it_restarts_at_1_our_leader_is_fenced_and_our_contenders_next_token_is_above_what_it_remembers(
                    TokenSource tokens) {
        JavaInstance leader = fleet.java(tokens);
        JavaInstance contender = fleet.java(tokens);
        long token = leader.leads();
        contender.follows();
        lose(leader, contender);

        assertThat(go.elected(Fleet.LONG)).isEqualTo(1);

        // Our leader believes that it leads, and can write no more.
        assertThat(leader.elector.token()).hasValue(token);
        assertRefused(leader, token, 1);
        leader.wire.heal();
        assertThat(leader.steppedDown().reason()).isEqualTo(EndReason.TAKEN);
        leader.tenure.close();
        // The follower knows who leads.
        contender.wire.heal();
        Fleet.until(
                "sees the new leader",
                () -> contender
                        .elector
                        .leader()
                        .map(LeaseRecord::holder)
                        .filter(go.id::equals)
                        .isPresent());
        assertThat(contender.elector.leader().map(LeaseRecord::token)).hasValue(1L);
        assertThat(contender.events(TokenRegressed.class)).isEmpty();

        go.release();

        long next = contender.awaitTerm();
        if (tokens == TokenSource.COUNTER) {
            assertThat(next).isEqualTo(token + 1);
        } else {
            assertThat(next).isGreaterThan(token);
        }
        Fleet.until("is told", () -> !contender.events(TokenRegressed.class).isEmpty());
        assertThat(contender.events(TokenRegressed.class)).containsExactly(new TokenRegressed(fleet.role(), 1, token));
        assertRefused(contender, token, next);
        assertThat(go.set(1, fleet.resource(), "stale")).isFalse();
        contender.tenure.close();
        assertThat(go.elected(Fleet.LONG)).isEqualTo(next + 1);
    }

    /** Whether its write or its renewal is told first. */
    @Test
    void law13_with_go_first_work_of_ours_that_writes_is_lost_not_failed_and_follows() {
        JavaInstance leader = fleet.java();
        leader.elector.campaign(term -> {
            while (term.isHeld()) {
                leader.fence.set(term.token(), fleet.resource(), "stale");
                Thread.sleep(5);
            }
        });
        long token = leader.awaitTerm();
        leader.wire.always(Verb.ACQUIRE, Fault.fail(StoreException.passing("cut off")));
        redis.cli().flushall();
        go.elected(Fleet.LONG);

        assertThat(leader.steppedDown().token()).isEqualTo(token);
        assertThat(leader.steppedDown().reason()).isIn(EndReason.FORCED, EndReason.TAKEN);
        leader.wire.heal();
        Fleet.until("follows", () -> !leader.events(Following.class).isEmpty());
        assertThat(leader.events(Following.class).get(0).leader().holder()).isEqualTo(go.id);
        assertThat(leader.events(WorkFailed.class)).isEmpty();
        assertThat(redis.cli().exists(fleet.resource())).isZero();
        go.release();
        assertThat(leader.awaitTerm()).isGreaterThan(token);
    }

    @ParameterizedTest
    @EnumSource(TokenSource.class)
    void law06_with_go_first_a_newcomer_of_ours_is_above_the_old_tokens_by_the_clock_only(TokenSource tokens) {
        JavaInstance leader = fleet.java(tokens);
        long token = leader.leads();
        leader.close();
        redis.cli().flushall();
        assertThat(go.elected(Fleet.LONG)).isEqualTo(1);
        go.release();

        JavaInstance newcomer = fleet.java(tokens);
        long next = newcomer.leads();

        if (tokens == TokenSource.COUNTER) {
            assertThat(next).isEqualTo(2).isLessThan(token);
        } else {
            assertThat(next).isGreaterThan(token);
        }
        assertThat(newcomer.events(TokenRegressed.class)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TokenSource.class)
    void law06_with_ours_first_our_leader_stands_again_above_its_last_token_and_go_goes_on_from_there(
            TokenSource tokens) {
        GoInstance stale = fleet.go();
        long old = stale.elected(Duration.ofMillis(300)); // and is paused for the rest of the test
        JavaInstance leader = fleet.java(tokens);
        long token = leader.leads();
        lose(leader);
        assertRefused(leader, token, 0);

        leader.wire.heal();

        assertThat(leader.steppedDown().reason()).isEqualTo(EndReason.FORCED);
        Fleet.until("leads again", () -> leader.events(Elected.class).size() == 2);
        long next = leader.awaitTerm();
        if (tokens == TokenSource.COUNTER) {
            assertThat(next).isEqualTo(token + 1);
        } else {
            assertThat(next).isGreaterThan(token);
        }
        assertThat(leader.events(TokenRegressed.class)).containsExactly(new TokenRegressed(fleet.role(), 0, token));
        assertRefused(leader, token, next);
        assertThat(stale.set(old, fleet.resource(), "stale")).isFalse();
        leader.fence.set(next, fleet.resource(), "ours");
        leader.tenure.close();
        assertThat(go.elected(Fleet.LONG)).isEqualTo(next + 1);
    }

    /** Without the clock and without a memory, tokens of before are above those of after. */
    @Test
    void law06_with_a_newcomer_that_counts_first_a_stale_leader_in_go_still_writes_and_the_newcomer_goes_on_above_it() {
        long old = go.elected(Fleet.LONG); // and is paused for the rest of the test
        redis.cli().flushall();
        JavaInstance newcomer = fleet.java(TokenSource.COUNTER);
        assertThat(newcomer.leads()).isEqualTo(1);

        assertThat(go.set(old, fleet.resource(), "late")).isTrue();

        assertRefused(newcomer, 1, old);
        assertThat(newcomer.steppedDown().reason()).isEqualTo(EndReason.FORCED);
        Fleet.until("leads again", () -> newcomer.events(Elected.class).size() == 2);
        assertThat(newcomer.awaitTerm()).isEqualTo(old + 1);
        assertThat(go.set(old, fleet.resource(), "late")).isFalse();
    }

    @Test
    void law06_with_a_newcomer_by_the_clock_first_a_stale_leader_in_go_is_refused() {
        long old = go.elected(Fleet.LONG); // and is paused for the rest of the test
        redis.cli().flushall();
        JavaInstance newcomer = fleet.java();
        long token = newcomer.leads();

        assertThat(go.set(old, fleet.resource(), "stale")).isFalse();
        newcomer.fence.set(token, fleet.resource(), "ours");
        assertThat(go.renew(Fleet.LONG)).isFalse();
    }

    @Test
    void law25_after_a_loss_and_before_an_election_the_fence_of_go_admits_every_token_and_ours_none() {
        long old = go.elected(Fleet.LONG);
        JavaInstance java = fleet.java();
        redis.cli().flushall();

        assertRefused(java, old, 0);
        assertThat(go.set(1, fleet.resource(), "any")).isTrue();
        redis.cli().del(fleet.role() + ":fence:applied");
        assertRefused(java, old, 0);
    }

    /** Known of redlease: its fence wants no more than the mark, and its counter starts anew. */
    @Test
    void with_go_first_a_stale_leader_in_go_passes_its_own_fence_and_stops_the_new_one() {
        GoInstance paused = fleet.go();
        long old = paused.elected(Fleet.LONG);
        redis.cli().flushall();
        long restarted = go.elected(Fleet.LONG);
        assertThat(restarted).isEqualTo(1);

        assertThat(paused.set(old, fleet.resource(), "late")).isTrue();

        assertThat(go.set(restarted, fleet.resource(), "current")).isFalse();
        assertThat(go.renew(Fleet.LONG)).as("it holds on").isTrue();
        go.release();
        JavaInstance java = fleet.java(TokenSource.COUNTER);
        assertThat(java.leads()).isEqualTo(old + 1);
    }

    /** Known of redlease: its documents warn of it. */
    @Test
    void law06_a_number_beyond_all_tokens_that_go_let_in_ends_our_term_and_is_told_until_it_is_deleted() {
        JavaInstance leader = fleet.java();
        long token = leader.leads();
        assertThat(go.set(1L << 60, fleet.resource(), "stamped")).isTrue();

        assertThat(leader.steppedDown().reason()).isEqualTo(EndReason.FORCED);
        Fleet.until("is told", () -> !leader.events(AttemptFailed.class).isEmpty());
        leader.looks(2);
        assertThat(leader.events(AttemptFailed.class)).singleElement().satisfies(failed -> {
            assertThat(failed.cause().isTransient()).isFalse();
            assertThat(failed.cause()).hasMessageContaining(fleet.role() + ":fence");
        });
        assertThat(fleet.counter()).isEqualTo(Long.toString(token));

        redis.cli().del(fleet.role() + ":fence:applied");
        Fleet.until("leads again", () -> leader.events(Elected.class).size() == 2);
        assertThat(leader.awaitTerm()).isGreaterThan(token);
    }

    @Test
    void law05_counter_and_mark_that_were_lost_are_restored_by_the_renewal_of_our_leader_and_go_counts_on() {
        JavaInstance leader = fleet.java();
        long token = leader.leads();
        redis.cli().del(fleet.role() + ":fence", fleet.role() + ":fence:applied");
        Fleet.until("is told", () -> !leader.events(TokenRegressed.class).isEmpty());

        leader.fence.set(token, fleet.resource(), "ours");
        leader.tenure.close();
        assertThat(go.elected(Fleet.LONG)).isEqualTo(token + 1);
    }

    @Test
    void law06_counter_and_mark_that_were_lost_while_go_leads_stay_lost_until_a_contender_of_ours_remembers_them() {
        long theirs = go.elected(Fleet.LONG);
        JavaInstance contender = fleet.java(TokenSource.COUNTER);
        contender.follows();
        contender.cutOff();
        redis.cli().del(fleet.role() + ":fence", fleet.role() + ":fence:applied");

        assertThat(go.renew(Fleet.LONG)).isTrue();
        assertThat(fleet.counter()).isNull();
        contender.wire.heal();
        go.release();

        assertThat(contender.awaitTerm()).isEqualTo(theirs + 1);
        Fleet.until("is told", () -> !contender.events(TokenRegressed.class).isEmpty());
        assertThat(contender.events(TokenRegressed.class)).containsExactly(new TokenRegressed(fleet.role(), 0, theirs));
    }
}
