package io.tenure.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The instance in Go that the other tests of this package play behaves as the documents of redlease say. */
class GoInstanceTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Fleet fleet = new Fleet(redis);

    @Test
    void a_free_lease_is_taken_with_the_bare_id_and_the_first_token_is_1_and_stamped() {
        assertThat(fleet.go("pod-7").acquire(Duration.ofSeconds(9))).hasValue(1);

        assertThat(fleet.lease()).isEqualTo("pod-7");
        assertThat(fleet.counter()).isEqualTo("1");
        assertThat(fleet.mark()).isEqualTo("1");
        assertThat(redis.cli().pttl(fleet.role() + ":leader")).isBetween(1L, 9_000L);
        assertThat(redis.cli().pttl(fleet.role() + ":fence")).isEqualTo(-1);
    }

    @Test
    void another_id_is_denied_and_the_own_one_taken_over_at_once_with_a_new_token() {
        GoInstance pod = fleet.go("pod-7");
        pod.elected(Fleet.LONG);

        assertThat(fleet.go("pod-8").acquire(Fleet.LONG)).isEmpty();
        assertThat(pod.acquire(Duration.ofSeconds(9))).hasValue(2);
        assertThat(redis.cli().pttl(fleet.role() + ":leader")).isBetween(1L, 9_000L);
    }

    @Test
    void renewal_and_delete_are_guarded_by_the_id() {
        GoInstance pod = fleet.go("pod-7");
        GoInstance other = fleet.go("pod-8");
        pod.elected(Duration.ofSeconds(9));

        assertThat(other.renew(Fleet.LONG)).isFalse();
        assertThat(other.release()).isFalse();
        assertThat(redis.cli().pttl(fleet.role() + ":leader")).isBetween(1L, 9_000L);
        assertThat(pod.renew(Fleet.LONG)).isTrue();
        assertThat(redis.cli().pttl(fleet.role() + ":leader")).isGreaterThan(9_000L);
        assertThat(pod.release()).isTrue();
        assertThat(fleet.lease()).isEmpty();
        assertThat(pod.renew(Fleet.LONG)).isFalse();
    }

    @Test
    void a_counter_behind_the_mark_is_healed_from_it_digit_by_digit() {
        redis.cli().set(fleet.role() + ":fence:applied", "1796003295089012");
        redis.cli().set(fleet.role() + ":fence", "7");

        assertThat(fleet.go().acquire(Fleet.LONG)).hasValue(1_796_003_295_089_013L);
        assertThat(fleet.counter()).isEqualTo("1796003295089013");
        assertThat(fleet.mark()).isEqualTo("1796003295089013");
    }

    @Test
    void its_fence_admits_any_token_from_the_mark_on_and_raises_the_mark_to_it() {
        GoInstance pod = fleet.go();
        long token = pod.elected(Fleet.LONG);

        assertThat(pod.hset(token, fleet.resource() + ":hash", "field", "1")).isTrue();
        assertThat(pod.set(token + 5, fleet.resource(), "2")).isTrue();
        assertThat(fleet.mark()).isEqualTo(Long.toString(token + 5));
        assertThat(pod.eval(token, "redis.call('DEL', KEYS[2])", List.of(fleet.resource())))
                .isFalse();
        assertThat(pod.set(0, fleet.resource(), "3")).isFalse();
        assertThat(redis.cli().get(fleet.resource())).isEqualTo("2");
        assertThat(redis.cli().hget(fleet.resource() + ":hash", "field")).isEqualTo("1");
    }

    @Test
    void an_elector_holds_by_renewing_and_leaves_a_lease_only_when_it_is_killed() {
        Duration ttl = Duration.ofMillis(900);
        GoElector quiet = fleet.goElector(ttl, Duration.ofMillis(100), token -> {});
        Fleet.until("leads", quiet::isLeader);
        long first = fleet.expiry();
        Fleet.until("was renewed", () -> fleet.expiry() > first + ttl.toNanos() / 1_000);
        assertThat(quiet.terms()).containsExactly(1L);

        quiet.resign();
        Fleet.until("leads again", () -> quiet.terms().equals(List.of(1L, 2L)));
        quiet.close();
        assertThat(fleet.lease()).isEmpty();

        GoElector killed = fleet.goElector(ttl, Duration.ofMillis(100), token -> {});
        Fleet.until("leads", killed::isLeader);
        killed.kill();
        assertThat(fleet.lease()).startsWith("go-host-");
        Fleet.until("its lease ends", () -> fleet.lease().isEmpty());
    }
}
