package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.TokenRegressed;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Cases of a process that is stopped just before it writes, and goes on when it has a successor. What it is told while it
 * is stopped is the first thing it does.
 */
class TokenPauseCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    @RegisterExtension
    final Children children = new Children();

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final ElectorOptions OPTIONS = ElectorOptions.ofTtl(TTL).build();
    /** A clock would let the tokens rise by itself. */
    private static final RedisStoreOptions COUNTED =
            RedisStoreOptions.builder().tokens(TokenSource.COUNTER).build();

    private Child child(long retention) {
        Child child = children.start(LockChild.class, redis.uri(), TTL.toMillis(), retention);
        child.hear("ready");
        return child;
    }

    @Test
    void case23_the_write_of_a_stopped_process_is_refused_before_its_successor_has_written() {
        String name = bench.name("report");
        String key = name + ":value";
        Child paused = child(60_000);
        paused.tell("hold", name);
        long token = Long.parseLong(paused.hear("holds"));
        paused.tell("write", key, "before");
        paused.hear("wrote");
        Participant member = bench.member();

        paused.pause();
        paused.tell("write", key, "late");
        HeldLock successor = Doing.of(
                        member.tenure.lock(name, LockOptions.ofTtl(TTL).build())::acquire)
                .result();
        paused.resume();

        assertThat(paused.hear("refused")).isEqualTo(token + " " + successor.token());
        assertThat(redis.cli().get(key)).isEqualTo("before");
        member.store.fence(name).set(successor.token(), key, "of-the-successor");
        paused.tell("write", key, "later");
        assertThat(paused.hear("refused", 2)).isEqualTo(token + " " + successor.token());
        assertThat(redis.cli().get(key)).isEqualTo("of-the-successor");
        assertThat(paused.heard("wrote")).containsExactly("before");
    }

    @Test
    void case24_after_a_flush_while_the_leader_is_stopped_tokens_rise_its_write_is_refused_and_one_warning_given() {
        whileTheLeaderIsStopped(() -> redis.cli().flushall());
    }

    @Test
    void
            case24_after_a_restart_without_persistence_while_the_leader_is_stopped_tokens_rise_its_write_is_refused_and_one_warning_given() {
        whileTheLeaderIsStopped(() -> {
            redis.stop();
            redis.start();
        });
    }

    private void whileTheLeaderIsStopped(Runnable loss) {
        String name = bench.name("report");
        String key = name + ":value";
        Participant next = bench.member(COUNTED, builder -> builder);
        Elector follower = next.tenure.elector(name, OPTIONS);
        // Some terms, so that a counter that begins anew is lower than what there was.
        for (int term = 0; term < 5; term++) {
            follower.campaign().close();
        }
        Child old = child(0);
        old.tell("lead", name);
        long token = Long.parseLong(old.hear("leads"));
        assertThat(token).isEqualTo(6);
        old.tell("write", key, "first");
        old.hear("wrote");
        follower.campaign();
        until("follows", () -> !next.events(Following.class).isEmpty());

        old.pause();
        old.tell("write", key, "late");
        loss.run();
        until("the follower leads", follower::isLeader);
        long successor = follower.token().orElseThrow();
        old.resume();

        assertThat(successor).isGreaterThan(token);
        assertThat(old.hear("refused")).isEqualTo(token + " " + successor);
        assertThat(redis.cli().exists(key)).as("the value, which was lost").isZero();
        next.store.fence(name).set(successor, key, "of-the-successor");
        old.tell("write", key, "later");
        assertThat(old.hear("refused", 2)).isEqualTo(token + " " + successor);
        assertThat(redis.cli().get(key)).isEqualTo("of-the-successor");
        assertThat(old.heard("wrote")).containsExactly("first");
        // Over several renewals: what was healed once is not told again.
        Bench.pause(OPTIONS.renewEvery().multipliedBy(2));
        assertThat(next.events(TokenRegressed.class)).containsExactly(new TokenRegressed(name, 0, token));
        assertThat(follower.token()).hasValue(successor);
    }
}
