package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.TenureEvent.LockAcquired;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.TenureEvent.WorkFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The laws of who goes next, and how soon, on stores that push releases to waiters. */
public abstract class PushLaws extends FaceLaws {
    /** For subclasses. */
    protected PushLaws() {}

    private Duration moment() {
        return ttl().dividedBy(5);
    }

    @Test
    void law20_a_follower_leads_as_soon_as_a_leader_closes() {
        String role = name();
        Elector first = instance().elector(role, election());
        Instance following = instance();
        Elector second = following.elector(role, election());
        Candidacy leading = first.campaign();
        soon("leads", first::isLeader);
        second.campaign();
        soon("follows", following::isWaiting);
        long token = first.token().orElseThrow();

        long before = stage().nanos();
        leading.close();
        within(ttl(), "the follower leads", second::isLeader);

        assertThat(Duration.ofNanos(stage().nanos() - before))
                .as("by push, not by polling")
                .isLessThan(ttl().dividedBy(3));
        assertThat(second.token().orElseThrow()).isGreaterThan(token);
    }

    @Test
    void law20_a_waiter_is_served_by_the_release() {
        String name = name();
        HeldLock held = instance().lock(name, locking()).tryAcquire().orElseThrow();
        Instance waiting = instance();
        Deed<HeldLock> acquire =
                Deed.blocking(waiting.lock(name, locking().retryEvery(moment().multipliedBy(3)))::acquire);
        soon("stands in the line", waiting::isWaiting);
        elapse(moment());

        long before = stage().nanos();
        held.release();
        within(moment(), "is served", acquire::isOver);

        assertThat(Duration.ofNanos(stage().nanos() - before)).as("by push").isLessThan(moment().multipliedBy(2));
        HeldLock next = acquire.result();
        assertThat(next.token()).isGreaterThan(held.token());
        soon("told", () -> waiting.seen.has(LockAcquired.class));
        assertThat(waiting.seen.of(LockAcquired.class).get(0).waited()).isGreaterThanOrEqualTo(moment().minusMillis(1));
    }

    @Test
    void law21_a_released_lock_goes_to_the_one_that_has_waited_longest() {
        String name = name();
        HeldLock held = instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        List<Deed<HeldLock>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Instance waiting = instance();
            waiters.add(Deed.blocking(waiting.lock(name, locking().renewed())::acquire));
            soon("stands in the line", waiting::isWaiting);
            elapse(Duration.ofMillis(60));
        }

        for (Deed<HeldLock> next : waiters) {
            assertThat(waiters.subList(waiters.indexOf(next), waiters.size())).noneMatch(Deed::isOver);
            held.release();
            within(moment(), "the longest waiting is served", next::isOver);
            held = next.result();
        }
    }

    @Test
    void law13_work_that_fails_frees_the_lease_at_once_and_another_goes_first() {
        String role = name();
        Instance failing = instance();
        Instance other = instance();
        Elector first = failing.elector(role, election());
        Elector second = other.elector(role, election());
        CountDownLatch go = new CountDownLatch(1);
        IOException failure = new IOException("disk full");
        first.campaign(term -> {
            go.await();
            throw failure;
        });
        soon("leads", first::isLeader);
        second.campaign();
        soon("follows", other::isWaiting);

        long before = stage().nanos();
        go.countDown();
        within(ttl(), "the other leads", second::isLeader);

        assertThat(Duration.ofNanos(stage().nanos() - before)).isLessThan(ttl().dividedBy(3));
        soon("is reported", () -> failing.seen.has(SteppedDown.class));
        assertThat(failing.seen.of(WorkFailed.class))
                .extracting(WorkFailed::cause)
                .containsExactly(failure);
        assertThat(failing.seen.of(SteppedDown.class))
                .extracting(SteppedDown::reason)
                .containsExactly(EndReason.WORK_FAILED);
    }

    @Test
    void law16_with_others_waiting_the_next_leader_is_never_the_one_that_resigned() {
        String role = name();
        List<Elector> electors = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Elector elector = instance().elector(role, election().retryEvery(ttl().dividedBy(8)));
            electors.add(elector);
            elector.campaign();
        }

        for (int i = 0; i < 50; i++) {
            within(ttl(), "one leads and two wait", () -> leaderOf(electors) >= 0 && allSee(electors));
            int resigning = leaderOf(electors);
            long token = electors.get(resigning).token().orElseThrow();
            electors.get(resigning).resign();
            within(ttl(), "somebody leads", () -> leaderOf(electors) >= 0);
            int next = leaderOf(electors);
            assertThat(next).as("leader after resignation %d", i).isNotEqualTo(resigning);
            assertThat(electors.get(next).token().orElseThrow()).isGreaterThan(token);
        }
    }
}
