package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.LeaderWork;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.Term;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Elections 2 and 3: a server, or a leader, is stopped where it is and goes on later. */
class PauseCasesTest extends ElectionCase {
    private static final Duration TTL = Duration.ofSeconds(2);

    /** Writes into the ledger for as long as it is let. */
    private static LeaderWork writing(Member member) {
        return term -> {
            member.write(term.token(), Ledger.BEGIN);
            while (true) {
                Thread.sleep(20);
                member.write(term.token(), Ledger.TICK);
            }
        };
    }

    @Test
    void case02_a_leader_steps_down_within_a_ttl_of_its_last_good_renewal_when_the_server_stops_and_one_leads_later() {
        Member a = member("a", ElectorOptions.ofTtl(TTL));
        Member b = member("b", ElectorOptions.ofTtl(TTL));
        a.elector.campaign(writing(a));
        Term term = a.elector.term().orElseThrow();
        b.elector.campaign(writing(b));
        soon("renewed", () -> a.sends.renewals() >= 2);

        REDIS.pause();
        long stopped = System.nanoTime();
        long believed = stopped;
        long now = stopped;
        while (term.isHeld()) {
            believed = now;
            LockSupport.parkNanos(100_000);
            now = System.nanoTime();
        }
        long told = awaitEnd(term);
        // Read just after the kernel's own reading, so that the bound is strict.
        assertThat(Duration.ofNanos(believed - a.sends.lastGood())).isLessThan(TTL);
        assertThat(Duration.ofNanos(told - a.sends.lastGood()))
                .as("and learns of it, hardly later")
                .isLessThan(lateSince(a.sends.lastGood(), TTL));
        passes(Duration.ofNanos(stopped + 2 * TTL.toNanos() - System.nanoTime()));
        assertThat(b.elector.isLeader()).isFalse();
        REDIS.resume();

        soon("one leads", () -> a.elector.isLeader() || b.elector.isLeader());
        assertThat(a.events(SteppedDown.class)).containsExactly(new SteppedDown(role, term.token(), EndReason.EXPIRED));
        passes(TTL);
        boolean first = a.elector.isLeader();
        Member leader = first ? a : b;
        Member follower = first ? b : a;
        long token = leader.elector.token().orElseThrow();
        assertThat(token).isGreaterThan(term.token());
        assertThat(follower.elector.isLeader()).isFalse();
        assertThat(follower.elector.leader().orElseThrow().token()).isEqualTo(token);
        assertThat(REDIS.cli().get(leaseKey())).startsWith(leader.who + "#").endsWith("-" + token);
    }

    private static long awaitEnd(Term term) {
        return term.ended()
                .thenApply(reason -> {
                    assertThat(reason).isEqualTo(EndReason.EXPIRED);
                    return System.nanoTime();
                })
                .toCompletableFuture()
                .join();
    }

    @Test
    void case03_a_write_that_was_computed_before_a_pause_is_refused_although_the_successor_has_written_nothing() {
        String key = role + ":value";
        Child a = contender("a", TTL);
        a.hear("elected");
        a.tell("compute");
        long token = Long.parseLong(a.hear("computed"));
        a.tell("write", key, "before");
        a.hear("wrote");
        Member b = member("b", ElectorOptions.ofTtl(TTL));
        b.elector.campaign();
        soon("the other waits", () -> waiting() == 1);

        a.pause();
        a.tell("write", key, "after");
        soon("the other leads", b.elector::isLeader);
        long successor = b.elector.token().orElseThrow();
        a.resume();

        assertThat(a.hear("refused-write")).isEqualTo(Long.toString(token));
        assertThat(REDIS.cli().get(key)).isEqualTo("before");
        assertThat(a.hear("stepped-down")).startsWith(token + " ");
        assertThat(a.hear("doubts")).startsWith(token + " ");
        assertThat(successor).isGreaterThan(token);
        assertThat(b.elector.token()).hasValue(successor);
        ledger().assertOneAtATime();
        assertThat(ledger().tokens()).containsExactly(token);
        b.fence.set(successor, key, "successor");
        assertThat(REDIS.cli().get(key)).isEqualTo("successor");
    }
}
