package io.tenure.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.ElectorOptions;
import io.tenure.LeaseRecord;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.LeaderChanged;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How fast instances of ours and of the Go library redlease notice that the other side's lease has ended. */
class MixedFleetWaitTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Fleet fleet = new Fleet(redis);

    /** Far more than a look takes, and less than eight looks at the pace of waiters that are woken. */
    private static final Duration GENEROUS = Duration.ofSeconds(5);

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
        java.looks(8);
        // Seven whole intervals, each a tenth shorter at most.
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThan(
                        Fleet.QUICK.retryEvery().multipliedBy(7).multipliedBy(9).dividedBy(10))
                .isLessThan(Fleet.QUICK.retryEvery().multipliedBy(8).plus(GENEROUS));

        long looked = java.wire.count(Verb.ACQUIRE);
        go.release();
        long released = System.nanoTime();
        java.awaitTerm();
        assertThat(Duration.ofNanos(System.nanoTime() - released))
                .isLessThan(Fleet.QUICK.retryEvery().plus(GENEROUS));
        // One may have been on its way when it was released.
        assertThat(java.wire.count(Verb.ACQUIRE)).isLessThanOrEqualTo(looked + 2);

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
        GoElector go = fleet.goElector(Duration.ofSeconds(3), Duration.ofMillis(500), won -> {});
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
        java.looks(2);
        assertThat(java.events(LeaderChanged.class)).isEmpty();
        // It restarts with its id, and takes over what it left behind.
        long next = go.elected(Fleet.LONG);

        Fleet.until("sees the new term", () -> !java.events(LeaderChanged.class).isEmpty());
        assertThat(java.events(LeaderChanged.class))
                .singleElement()
                .satisfies(changed -> assertThat(changed.leader().token()).isEqualTo(next));
        assertThat(java.events(Following.class)).hasSize(1);
    }

    /** A push told it of the release, and it may expect no other: the lease is not one of ours any more. */
    @Test
    void law20_a_waiter_that_ours_woke_and_go_beat_looks_every_retry_interval_from_then_on() {
        GoInstance go = fleet.go();
        JavaInstance leader = fleet.java();
        leader.leads();
        JavaInstance java = fleet.java();
        java.follows();
        Fleet.until(
                "could be woken",
                () -> redis.cli().pubsubChannels("tenure:wake:*").size() == 2);
        java.wire.always(Verb.ACQUIRE, Fault.holdRequest());
        leader.tenure.close();
        Fleet.until("is on its way", () -> java.wire.underWay() > 0);
        go.elected(Fleet.LONG);
        java.wire.heal();
        java.wire.deliverAll();

        Fleet.until(
                "sees who was faster",
                () -> java.elector
                        .leader()
                        .map(LeaseRecord::holder)
                        .filter(go.id::equals)
                        .isPresent());
        long begun = System.nanoTime();
        java.looks(8);
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isLessThan(Fleet.QUICK.retryEvery().multipliedBy(8).plus(GENEROUS));
        go.release();
        java.awaitTerm();
    }
}
