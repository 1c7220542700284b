package io.tenure.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.StaleTokenException;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.FenceRejected;
import io.tenure.TenureEvent.WorkFailed;
import io.tenure.TokenSource;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the fences of ours and of the Go library redlease refuse each other, and what they do not. */
class MixedFleetFenceTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Fleet fleet = new Fleet(redis);

    private static final ElectorOptions SHORT =
            ElectorOptions.ofTtl(Duration.ofSeconds(1)).build();

    @ParameterizedTest
    @EnumSource(TokenSource.class)
    void law26_electing_a_term_in_go_fences_our_stale_leader_before_anything_is_written(TokenSource tokens) {
        JavaInstance java = fleet.java("java-stalled", tokens, SHORT);
        GoInstance go = fleet.go();
        long token = java.leads();
        java.fence.set(token, fleet.resource(), "ours");
        java.cutOff();
        Fleet.until("the lease ends", () -> fleet.lease().isEmpty());
        long theirs = go.elected(Fleet.LONG);

        RedisFence fence = java.fence;
        String hash = fleet.resource() + ":hash";
        assertThatEachIsStale(
                theirs,
                () -> fence.set(token, fleet.resource(), "late"),
                () -> fence.hset(token, hash, "field", "late"),
                () -> fence.del(token, fleet.resource()),
                () -> fence.eval(token, "redis.call('SET', KEYS[2], 'late')", List.of(fleet.resource()), List.of()),
                () -> fence.batch(token).set(fleet.resource(), "late").apply(),
                () -> fence.claim(token));
        assertThat(redis.cli().get(fleet.resource())).isEqualTo("ours");
        assertThat(redis.cli().exists(hash)).isZero();
        Fleet.until("is told", () -> java.events(FenceRejected.class).size() == 6);
        assertThat(java.events(FenceRejected.class).get(0)).isEqualTo(new FenceRejected(fleet.role(), token, theirs));

        assertThat(go.set(theirs, fleet.resource(), "theirs")).isTrue();
        assertThatEachIsStale(theirs, () -> fence.set(token, fleet.resource(), "late"));
    }

    @ParameterizedTest
    @EnumSource(TokenSource.class)
    void law26_electing_a_term_of_ours_fences_a_stale_leader_in_go_before_anything_is_written(TokenSource tokens) {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java(tokens);
        long theirs = go.elected(Duration.ofMillis(300)); // and is paused, for the rest of its term
        assertThat(go.set(theirs, fleet.resource(), "theirs")).isTrue();

        long token = java.leads();

        String hash = fleet.resource() + ":hash";
        assertThat(go.set(theirs, fleet.resource(), "late")).isFalse();
        assertThat(go.hset(theirs, hash, "field", "late")).isFalse();
        assertThat(go.eval(theirs, "redis.call('DEL', KEYS[2])", List.of(fleet.resource())))
                .isFalse();
        assertThat(redis.cli().get(fleet.resource())).isEqualTo("theirs");
        assertThat(redis.cli().exists(hash)).isZero();
        java.fence.set(token, fleet.resource(), "ours");
        assertThat(go.set(theirs, fleet.resource(), "late")).isFalse();
        assertThat(redis.cli().get(fleet.resource())).isEqualTo("ours");
        assertThat(fleet.mark()).isEqualTo(Long.toString(token));
    }

    @Test
    void law25_between_a_release_and_the_next_election_the_last_term_may_still_write_on_both_sides() {
        GoInstance go = fleet.go();
        long theirs = go.elected(Fleet.LONG);
        go.release();
        assertThat(go.set(theirs, fleet.resource(), "theirs")).isTrue();

        JavaInstance java = fleet.java();
        long token = java.leads();
        java.tenure.close();
        assertThat(go.set(theirs, fleet.resource(), "late")).isFalse();
        JavaInstance writer = fleet.java();
        writer.fence.set(token, fleet.resource(), "ours");

        assertThat(redis.cli().get(fleet.resource())).isEqualTo("ours");
    }

    @Test
    void law25_each_fence_admits_the_current_token_of_the_other_side() {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java();
        long theirs = go.elected(Fleet.LONG);
        java.fence.set(theirs, fleet.resource(), "by its token");
        go.release();

        long token = java.leads();
        assertThat(go.set(token, fleet.resource(), "by our token")).isTrue();
        java.fence.hset(token, fleet.resource() + ":hash", "field", "value");

        assertThat(fleet.mark()).isEqualTo(Long.toString(token));
        assertThat(java.elector.token()).hasValue(token);
    }

    @Test
    void law05_a_number_that_nobody_minted_passes_the_fence_of_go_only_and_our_leader_goes_on_above_it() {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java();
        long token = java.leads();
        long invented = token + Duration.ofDays(1).toNanos() / 1_000;
        assertThatEachIsStale(token, () -> java.fence.set(invented, fleet.resource(), "invented"));

        assertThat(go.set(invented, fleet.resource(), "invented")).isTrue();

        assertThatThrownBy(() -> java.fence.set(token, fleet.resource(), "ours"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(java.steppedDown().reason()).isEqualTo(EndReason.FORCED);
        Fleet.until("leads again", () -> java.events(Elected.class).size() == 2);
        long next = java.awaitTerm();
        assertThat(next).isEqualTo(invented + 1);
        java.fence.set(next, fleet.resource(), "ours");
        assertThat(go.set(invented, fleet.resource(), "invented")).isFalse();
    }

    /** Whether its write or its renewal is told first. */
    @Test
    void law13_work_of_ours_that_such_a_number_refuses_is_lost_not_failed_and_goes_on_above_it() {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java();
        java.elector.campaign(term -> {
            while (term.isHeld()) {
                java.fence.set(term.token(), fleet.resource(), "ours");
                Thread.sleep(5);
            }
        });
        long invented = java.awaitTerm() + Duration.ofDays(1).toNanos() / 1_000;

        assertThat(go.set(invented, fleet.resource(), "invented")).isTrue();

        assertThat(java.steppedDown().reason()).isIn(EndReason.FORCED, EndReason.TAKEN);
        Fleet.until("leads again", () -> java.events(Elected.class).size() == 2);
        assertThat(java.awaitTerm()).isEqualTo(invented + 1);
        assertThat(java.events(WorkFailed.class)).isEmpty();
        Fleet.until("writes again", () -> redis.cli().get(fleet.resource()).equals("ours"));
    }

    @Test
    void law12_a_forced_release_of_a_leader_in_go_refuses_its_writes_at_once() {
        GoInstance go = fleet.go();
        JavaInstance operator = fleet.java();
        long theirs = go.elected(Fleet.LONG);
        LeaseRecord seen = operator.tenure.find(fleet.role()).orElseThrow();

        assertThat(operator.store.evict(seen).toCompletableFuture().join()).isTrue();

        assertThat(fleet.lease()).isEmpty();
        assertThat(go.set(theirs, fleet.resource(), "late")).isFalse();
        assertThat(go.renew(Fleet.LONG)).isFalse();
        assertThat(go.elected(Fleet.LONG)).isEqualTo(theirs + 2);
    }

    /** Known of redlease: the value of its lease is only its id, so its delete fits all of its terms. */
    @Test
    void a_delayed_delete_in_go_removes_its_own_next_term_and_tokens_order_the_two_that_lead_then() {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java();
        go.elected(Duration.ofMillis(300)); // its release does not reach the server for a while
        Fleet.until("the lease ends", () -> fleet.lease().isEmpty());
        long again = go.elected(Fleet.LONG);
        java.follows();

        assertThat(go.release()).as("the delayed delete").isTrue();

        long token = java.awaitTerm();
        assertThat(token).isGreaterThan(again);
        assertThat(go.set(again, fleet.resource(), "believes that it leads")).isFalse();
        java.fence.set(token, fleet.resource(), "ours");
        assertThat(go.renew(Fleet.LONG)).isFalse();
        assertThat(java.elector.token()).hasValue(token);
    }

    private static void assertThatEachIsStale(long mark, ThrowingCallable... writes) {
        Stream.of(writes)
                .forEach(write -> assertThatThrownBy(write)
                        .isInstanceOfSatisfying(
                                StaleTokenException.class,
                                stale -> assertThat(stale.mark()).isEqualTo(mark)));
    }
}
