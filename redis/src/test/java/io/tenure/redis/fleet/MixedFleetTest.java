package io.tenure.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TenureEvent.DuplicateHolder;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.RenewalFailed;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances of ours and of the Go library redlease contend for one role: who waits for whom, and how it changes hands. */
class MixedFleetTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Fleet fleet = new Fleet(redis);

    @Test
    void law01_each_side_waits_for_the_other_and_is_told_who_has_it() {
        GoInstance go = fleet.go("go-host-1f");
        JavaInstance java = fleet.java();
        long token = go.elected(Fleet.LONG);

        java.follows();
        LeaseRecord leader = java.elector.leader().orElseThrow();
        assertThat(leader.holder()).isEqualTo("go-host-1f");
        assertThat(leader.token()).isEqualTo(token);
        assertThat(leader.isOurs()).isFalse();
        assertThat(leader.remaining()).isPositive().isLessThanOrEqualTo(Fleet.LONG);
        assertThat(java.elector.isLeader()).isFalse();

        go.release();
        java.awaitTerm();
        assertThat(go.acquire(Fleet.LONG)).isEmpty();
        java.tenure.close();
        assertThat(go.acquire(Fleet.LONG)).isPresent();
    }

    @Test
    void law01_a_lock_of_ours_and_an_election_in_go_exclude_each_other() throws InterruptedException {
        GoInstance go = fleet.go();
        LeaseLock lock = fleet.java().tenure.lock(fleet.role());
        go.elected(Fleet.LONG);
        assertThat(lock.tryAcquire()).isEmpty();
        go.release();

        HeldLock held = lock.tryAcquire(Fleet.PATIENCE).orElseThrow();
        assertThat(go.acquire(Fleet.LONG)).isEmpty();
        held.release();
        assertThat(go.acquire(Fleet.LONG)).hasValue(held.token() + 1);
    }

    @Test
    void law07_go_lets_a_counter_expire_that_a_lock_left_and_an_election_of_ours_makes_it_permanent() {
        LeaseLock lock = fleet.java().tenure.lock(fleet.role());
        lock.tryAcquire().orElseThrow().release();
        assertThat(redis.cli().pttl(fleet.role() + ":fence:applied")).isPositive();

        GoInstance go = fleet.go();
        go.elected(Fleet.LONG);
        assertThat(redis.cli().pttl(fleet.role() + ":fence")).isPositive();
        assertThat(redis.cli().pttl(fleet.role() + ":fence:applied")).isEqualTo(-1);

        go.release();
        fleet.java().leads();
        assertThat(redis.cli().pttl(fleet.role() + ":fence")).isEqualTo(-1);
        assertThat(redis.cli().pttl(fleet.role() + ":fence:applied")).isEqualTo(-1);
    }

    /** So what a lock let expire costs Go no token, as long as somebody was elected after it. */
    @Test
    void law07_go_heals_an_expired_counter_from_the_mark_that_it_stamped() {
        fleet.java().tenure.lock(fleet.role()).tryAcquire().orElseThrow().release();
        GoInstance go = fleet.go();
        long token = go.elected(Fleet.LONG);
        redis.cli().del(fleet.role() + ":fence"); // an hour later

        assertThat(go.elected(Fleet.LONG)).isEqualTo(token + 1);
    }

    @ParameterizedTest
    @EnumSource(TokenSource.class)
    void law02_tokens_rise_across_both_and_one_in_go_is_the_last_one_plus_one(TokenSource tokens) {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java(tokens);
        List<Long> all = new ArrayList<>(List.of(go.elected(Fleet.LONG)));
        go.release();
        for (int round = 0; round < 4; round++) {
            long before = redis.micros();
            Candidacy candidacy = java.elector.campaign();
            long ours = java.awaitTerm();
            if (tokens == TokenSource.STORE_CLOCK) {
                assertThat(ours).isGreaterThan(before).isLessThanOrEqualTo(redis.micros() + 1);
            } else {
                assertThat(ours).isEqualTo(all.get(all.size() - 1) + 1);
            }
            all.add(ours);
            candidacy.close();
            assertThat(fleet.lease()).isEmpty();
            long theirs = go.elected(Fleet.LONG);
            assertThat(theirs).isEqualTo(all.get(all.size() - 1) + 1);
            assertThat(fleet.counter()).isEqualTo(Long.toString(theirs));
            assertThat(fleet.mark()).isEqualTo(Long.toString(theirs));
            all.add(theirs);
            go.release();
        }
        assertThat(all).hasSize(9).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void law04_an_instance_in_go_with_our_very_holder_id_is_somebody_else() {
        GoInstance go = fleet.go("pod-7");
        JavaInstance java = fleet.java("pod-7", TokenSource.STORE_CLOCK, Fleet.QUICK);
        go.elected(Fleet.LONG);

        java.follows();
        java.looks(5);
        assertThat(fleet.lease()).isEqualTo("pod-7");
        assertThat(java.elector.leader())
                .hasValueSatisfying(leader -> assertThat(leader.isOurs()).isFalse());

        go.release();
        long token = java.awaitTerm();
        assertThat(go.acquire(Fleet.LONG)).as("Go takes its own leftovers only").isEmpty();
        assertThat(go.renew(Fleet.LONG)).isFalse();
        assertThat(go.release()).isFalse();
        assertThat(java.elector.token()).hasValue(token);
        assertThat(java.events(DuplicateHolder.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#",
                "pod-7#",
                "#pod-7",
                "pod-7#a",
                "pod-7#a-1",
                "pod-7#a-1-",
                "pod-7#a-b-1-2",
                "pod-7#0-0",
                "rack#3#pod-7",
                "pod-7#5f3a-0012-1",
                "pod 7",
                "πόδι-7"
            })
    void law04_an_id_in_go_with_number_signs_is_a_whole_name_and_never_taken_over(String id) {
        GoInstance go = fleet.go(id);
        JavaInstance java = fleet.java("pod-7", TokenSource.STORE_CLOCK, Fleet.QUICK);
        long token = go.elected(Fleet.LONG);

        java.follows();
        java.looks(2);

        assertThat(fleet.lease()).isEqualTo(id);
        assertThat(java.elector.leader().map(LeaseRecord::holder)).hasValue(id);
        assertThat(java.elector.leader().map(LeaseRecord::token)).hasValue(token);
        assertThat(java.elector.leader().map(LeaseRecord::isOurs)).hasValue(false);
    }

    /** Nobody can tell such an id from a lease of ours. What is left is what always is: it steps down, and is fenced. */
    @Test
    void law04_an_id_in_go_in_the_exact_form_of_our_values_is_taken_for_ours() {
        GoInstance go = fleet.go("pod-7#a-1-2");
        long token = go.elected(Fleet.LONG);
        JavaInstance other = fleet.java("pod-8", TokenSource.STORE_CLOCK, Fleet.QUICK);
        other.follows();
        assertThat(other.elector.leader()).hasValueSatisfying(leader -> {
            assertThat(leader.holder()).isEqualTo("pod-7");
            assertThat(leader.isOurs()).isTrue();
        });
        assertThat(fleet.lease()).isEqualTo(go.id);

        JavaInstance same = fleet.java("pod-7", TokenSource.STORE_CLOCK, Fleet.QUICK);
        long ours = same.leads();

        assertThat(ours).isGreaterThan(token);
        assertThat(go.renew(Fleet.LONG)).isFalse();
        assertThat(go.set(token, fleet.resource(), "late")).isFalse();
    }

    @Test
    void law05_renewals_and_deletes_in_go_do_not_touch_a_lease_of_ours_nor_our_release_a_lease_in_go() {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java();
        long token = java.leads();
        String value = fleet.lease();

        assertThat(go.renew(Fleet.LONG)).isFalse();
        assertThat(go.release()).isFalse();
        assertThat(fleet.lease()).isEqualTo(value);
        assertThat(redis.cli().pttl(fleet.role() + ":leader"))
                .isLessThanOrEqualTo(Fleet.QUICK.ttl().toMillis());

        // Its release goes out when an instance in Go has the lease by now.
        java.wire.always(Verb.RENEW, Fault.fail(StoreException.passing("cut off")));
        Fleet.until("is cut off", () -> !java.events(RenewalFailed.class).isEmpty());
        redis.cli().del(fleet.role() + ":leader");
        long theirs = go.elected(Fleet.LONG);
        java.elector.resign();
        assertThat(java.steppedDown().token()).isEqualTo(token);
        assertThat(java.wire.count(Verb.RELEASE)).isEqualTo(1);
        assertThat(fleet.lease()).isEqualTo(go.id);
        assertThat(fleet.counter()).isEqualTo(Long.toString(theirs));
    }

    @ParameterizedTest
    @ValueSource(strings = {"go-host-1f", "pod-7"})
    void law05_a_renewal_of_ours_after_go_took_over_is_lost_and_told_as_taken(String id) {
        GoInstance go = fleet.go(id);
        JavaInstance java = fleet.java("pod-7", TokenSource.STORE_CLOCK, Fleet.QUICK);
        long token = java.leads();

        // An operator deletes the lease, or the server evicts it.
        java.cutOff();
        redis.cli().del(fleet.role() + ":leader");
        long theirs = go.elected(Fleet.LONG);
        java.wire.heal();

        assertThat(java.steppedDown().reason()).isEqualTo(EndReason.TAKEN);
        assertThat(java.steppedDown().token()).isEqualTo(token);
        assertThat(redis.cli().pttl(fleet.role() + ":leader"))
                .isGreaterThan(Fleet.QUICK.ttl().toMillis());
        Fleet.until("follows", () -> !java.events(Following.class).isEmpty());
        assertThat(java.events(Following.class).get(0).leader().holder()).isEqualTo(id);
        assertThat(java.events(Following.class).get(0).leader().token()).isEqualTo(theirs);
        assertThat(java.events(DuplicateHolder.class)).isEmpty();
    }
}
