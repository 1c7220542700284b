package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.StaleTokenException;
import io.tenure.TenureEvent.DrainOverrun;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.SteppedDown;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Election 7: work that takes its time to end. */
class DrainCasesTest extends ElectionCase {
    private static final Duration TTL = Duration.ofSeconds(2);

    @Test
    void case07_nobody_is_elected_before_work_that_drains_for_three_ttls_has_returned_and_the_lease_is_renewed() {
        Member a = member("a", ElectorOptions.ofTtl(TTL).drainTimeout(TTL.multipliedBy(5)));
        Member b = member("b", ElectorOptions.ofTtl(TTL));
        List<String> holders = new CopyOnWriteArrayList<>();
        AtomicLong interrupted = new AtomicLong();
        a.elector.campaign(term -> {
            a.write(term.token(), Ledger.BEGIN);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(System.nanoTime());
                long end = interrupted.get() + TTL.multipliedBy(3).toNanos();
                while (System.nanoTime() - end < 0) {
                    passes(Duration.ofMillis(20));
                    a.write(term.token(), Ledger.TICK);
                    holders.add(holder());
                }
                a.write(term.token(), Ledger.END);
            }
        });
        long token = a.elector.token().orElseThrow();
        b.elector.campaign(term -> b.write(term.token(), Ledger.BEGIN));
        soon("the other waits", () -> waiting() == 1);
        soon("a has begun", () -> !ledger().entries().isEmpty());
        int renewals = a.sends.renewals();

        long resigned = System.nanoTime();
        a.elector.resign();
        assertThat(a.elector.isLeader()).isFalse();
        soon("the work is told", () -> interrupted.get() != 0);
        assertThat(Duration.ofNanos(interrupted.get() - resigned)).isLessThan(lateSince(resigned, Duration.ZERO));
        soon("the other leads", () -> ledger().tokens().size() == 2);

        List<Ledger.Entry> entries = ledger().entries();
        ledger().assertTermsFollowEachOther();
        Ledger.Entry end = entries.get(entries.size() - 2);
        assertThat(end.what()).isEqualTo(Ledger.END);
        Duration handover = Duration.ofNanos((entries.get(entries.size() - 1).micros() - end.micros()) * 1_000);
        // Its own next poll could be a whole second away.
        assertThat(handover).isLessThan(lateSince(System.nanoTime() - handover.toNanos(), Duration.ZERO));
        assertThat(holders).as("whose lease it was while the work drained").hasSizeGreaterThan(10);
        assertThat(holders).allMatch(held -> held.startsWith("a#") && held.endsWith("-" + token));
        // Nine are due; the lease stood all the while, so that at least every second one came.
        assertThat(a.sends.renewals() - renewals).as("renewals meanwhile").isGreaterThanOrEqualTo(6);
        assertThat(a.events(LeaseLost.class)).isEmpty();
        assertThat(a.events(DrainOverrun.class)).isEmpty();
        soon("told", () -> !a.events(SteppedDown.class).isEmpty());
        assertThat(a.events(SteppedDown.class)).containsExactly(new SteppedDown(role, token, EndReason.RESIGNED));
    }

    private String holder() {
        String held = REDIS.cli().get(leaseKey());
        return held == null ? "nobody" : held;
    }

    @Test
    void case07_work_that_ignores_interrupts_is_left_behind_after_its_drain_timeout_and_can_write_no_more() {
        Duration drain = TTL.dividedBy(2);
        Member a = member("a", ElectorOptions.ofTtl(TTL).drainTimeout(drain));
        CountDownLatch allowed = new CountDownLatch(1);
        AtomicBoolean running = new AtomicBoolean();
        Candidacy candidacy = a.elector.campaign(term -> {
            running.set(true);
            boolean over = false;
            while (!over) {
                try {
                    allowed.await();
                    over = true;
                } catch (InterruptedException e) {
                    a.write(term.token(), "ignored"); // drains: still current
                }
            }
            running.set(false);
        });
        long token = a.elector.token().orElseThrow();
        soon("works", running::get);

        long before = System.nanoTime();
        candidacy.close();
        Duration took = Duration.ofNanos(System.nanoTime() - before);

        assertThat(took).isBetween(drain, lateSince(before, drain));
        assertThat(isFree()).isTrue();
        assertThat(running).isTrue();
        assertThatThrownBy(() -> a.write(token, "abandoned")).isInstanceOf(StaleTokenException.class);
        assertThat(ledger().entries()).extracting(Ledger.Entry::what).containsExactly("ignored");
        assertThat(a.events(DrainOverrun.class)).containsExactly(new DrainOverrun(role, token, drain));
        assertThat(a.events(SteppedDown.class)).containsExactly(new SteppedDown(role, token, EndReason.CLOSED));
        allowed.countDown();
        soon("ends", () -> !running.get());
    }
}
