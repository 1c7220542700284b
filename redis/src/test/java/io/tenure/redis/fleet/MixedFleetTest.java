package io.tenure.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseRecord;
import io.tenure.TenureEvent.DuplicateHolder;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.LeaderChanged;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import io.tenure.testkit.Verb;
import java.time.Duration;
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

    /** Far more than a look takes, and less than the pace at which waiters look that are woken. */
    private static final Duration GENEROUS = Duration.ofSeconds(5);

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

    /** The mark is what Go counts on from when the counter has expired. */
    @Test
    void law07_a_counter_that_a_lock_lets_expire_is_healed_from_the_mark_that_go_makes_permanent() {
        LeaseLock lock = fleet.java().tenure.lock(fleet.role());
        lock.tryAcquire().orElseThrow().release();
        assertThat(redis.cli().pttl(fleet.role() + ":fence:applied")).isPositive();

        GoInstance go = fleet.go();
        long token = go.elected(Fleet.LONG);
        assertThat(redis.cli().pttl(fleet.role() + ":fence")).isPositive();
        assertThat(redis.cli().pttl(fleet.role() + ":fence:applied")).isEqualTo(-1);
        redis.cli().del(fleet.role() + ":fence"); // an hour later
        assertThat(go.elected(Fleet.LONG)).isEqualTo(token + 1);

        go.release();
        fleet.java().leads();
        assertThat(redis.cli().pttl(fleet.role() + ":fence")).isEqualTo(-1);
        assertThat(redis.cli().pttl(fleet.role() + ":fence:applied")).isEqualTo(-1);
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
        looks(java, 5);
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
        looks(java, 2);

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
    void law05_renewals_and_deletes_in_go_do_not_touch_a_lease_of_ours_nor_ours_a_lease_in_go() {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java();
        long token = java.leads();
        String value = fleet.lease();

        assertThat(go.renew(Fleet.LONG)).isFalse();
        assertThat(go.release()).isFalse();
        assertThat(fleet.lease()).isEqualTo(value);
        assertThat(redis.cli().pttl(fleet.role() + ":leader"))
                .isLessThanOrEqualTo(Fleet.QUICK.ttl().toMillis());

        // Its renewals and its release are on their way for a lease that an instance in Go has by now.
        java.cutOff();
        redis.cli().del(fleet.role() + ":leader");
        long theirs = go.elected(Fleet.LONG);
        java.wire.heal();
        assertThat(java.steppedDown().token()).isEqualTo(token);
        java.tenure.close();
        assertThat(fleet.lease()).isEqualTo(go.id);
        assertThat(redis.cli().pttl(fleet.role() + ":leader"))
                .isGreaterThan(Fleet.QUICK.ttl().toMillis());
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
        Fleet.until("follows", () -> !java.events(Following.class).isEmpty());
        assertThat(java.events(Following.class).get(0).leader().holder()).isEqualTo(id);
        assertThat(java.events(Following.class).get(0).leader().token()).isEqualTo(theirs);
        assertThat(java.events(DuplicateHolder.class)).isEmpty();
    }

    @Test
    void law20_while_go_holds_we_look_every_retry_interval_and_the_look_after_its_release_takes_it() {
        GoInstance go = fleet.go();
        JavaInstance java = fleet.java();
        go.elected(Fleet.LONG);
        java.follows();
        Fleet.until(
                "could be woken",
                () -> !redis.cli().pubsubChannels("tenure:wake:*").isEmpty());

        long begun = System.nanoTime();
        looks(java, 6);
        Duration span = Duration.ofNanos(System.nanoTime() - begun);
        // Five whole intervals, each a tenth shorter at most. How much longer is the machine's affair.
        assertThat(span)
                .isGreaterThan(
                        Fleet.QUICK.retryEvery().multipliedBy(5).multipliedBy(9).dividedBy(10));

        long looked = java.wire.count(Verb.ACQUIRE);
        go.release();
        long released = System.nanoTime();
        java.awaitTerm();
        assertThat(Duration.ofNanos(System.nanoTime() - released))
                .isLessThan(Fleet.QUICK.retryEvery().plus(GENEROUS));
        // One may have been on its way when it was released.
        assertThat(java.wire.count(Verb.ACQUIRE)).isBetween(looked + 1, looked + 2);

        // One of ours waiting for one of ours looks at a tenth of that pace.
        JavaInstance other = fleet.java();
        other.follows();
        Fleet.until(
                "both could be woken",
                () -> redis.cli().pubsubChannels("tenure:wake:*").size() >= 2);
        looked = other.wire.count(Verb.ACQUIRE);
        Fleet.passes(Fleet.QUICK.retryEvery().multipliedBy(6));
        assertThat(other.wire.count(Verb.ACQUIRE)).isLessThanOrEqualTo(looked + 2);
    }

    @Test
    void law20_a_release_of_ours_is_noticed_by_the_polling_of_go() {
        JavaInstance java = fleet.java();
        long token = java.leads();
        GoElector go = fleet.goElector(Duration.ofSeconds(20), Duration.ofMillis(200), won -> {});
        Fleet.passes(Duration.ofMillis(500));
        assertThat(go.terms()).isEmpty();

        java.tenure.close();

        Fleet.until("Go leads", go::isLeader);
        assertThat(go.terms()).containsExactly(token + 1);
    }

    @Test
    void law21_a_release_of_ours_wakes_ours_before_go_looks() {
        JavaInstance leader = fleet.java();
        leader.leads();
        ElectorOptions slow = ElectorOptions.ofTtl(Fleet.LONG)
                .retryEvery(Fleet.LONG.dividedBy(2))
                .build();
        JavaInstance waiting = fleet.java("java-waiting", TokenSource.STORE_CLOCK, slow);
        GoElector go = fleet.goElector(Fleet.LONG, Fleet.LONG.dividedBy(2), won -> {});
        waiting.follows();
        Fleet.until("stands in line", () -> redis.cli().zcard(fleet.role() + ":waiters") == 1);
        Fleet.until(
                "can be woken",
                () -> redis.cli().pubsubChannels("tenure:wake:*").size() == 2);

        leader.tenure.close();

        waiting.awaitTerm();
        assertThat(go.terms()).isEmpty();
    }

    /** The look is due half a minute later; only the expiry that a denial told can be what it goes by. */
    @Test
    void law20_when_go_is_killed_our_follower_takes_over_at_the_exact_expiry() {
        ElectorOptions slow = ElectorOptions.ofTtl(Duration.ofSeconds(60))
                .retryEvery(Duration.ofSeconds(40))
                .build();
        JavaInstance java = fleet.java("java-slow", TokenSource.STORE_CLOCK, slow);
        GoElector go = fleet.goElector(Duration.ofSeconds(2), Duration.ofMillis(500), won -> {});
        Fleet.until("Go leads", go::isLeader);
        go.kill();
        java.follows();
        long expiry = fleet.expiry();

        // A token is the server's clock at the grant.
        long token = java.awaitTerm();

        assertThat(token).isGreaterThan(expiry).isLessThan(expiry + GENEROUS.toNanos() / 1_000);
    }

    @Test
    void law20_our_follower_of_a_go_leader_that_renews_looks_on_and_tells_each_new_term() {
        GoInstance go = fleet.go("pod-7");
        JavaInstance java = fleet.java();
        go.elected(Fleet.LONG);
        java.follows();

        go.renew(Fleet.LONG);
        looks(java, 2);
        assertThat(java.events(LeaderChanged.class)).isEmpty();
        // It restarts with its id, and takes over what it left behind.
        long next = go.elected(Fleet.LONG);

        Fleet.until("sees the new term", () -> !java.events(LeaderChanged.class).isEmpty());
        assertThat(java.events(LeaderChanged.class))
                .singleElement()
                .satisfies(changed -> assertThat(changed.leader().token()).isEqualTo(next));
        assertThat(java.events(Following.class)).hasSize(1);
    }

    private static void looks(JavaInstance java, int times) {
        long looked = java.wire.count(Verb.ACQUIRE);
        Fleet.until("looks", () -> java.wire.count(Verb.ACQUIRE) >= looked + times);
    }
}
