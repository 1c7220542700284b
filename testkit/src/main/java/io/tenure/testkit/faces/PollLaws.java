package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.testkit.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * The laws of who goes next, and how soon, where nobody is told of a release: on stores that push nothing, and on all
 * others while their pushes are broken.
 */
public abstract class PollLaws extends FaceLaws {
    /** For subclasses. */
    protected PollLaws() {}

    /** How often the waiters of these laws look. */
    private Duration pace() {
        return ttl().dividedBy(2);
    }

    /** Four times what they need to find out by looking; and too short for finding out by expiry, or by slower looks. */
    private Duration soonEnough() {
        return pace().multipliedBy(4);
    }

    private ElectorOptions.Builder longElection() {
        return ElectorOptions.ofTtl(pace().multipliedBy(8)).retryEvery(pace());
    }

    private Instance deaf() {
        Instance deaf = instance();
        deaf.wire.breakPushes();
        return deaf;
    }

    @Test
    void law20_a_follower_that_nobody_tells_leads_within_a_look_of_a_leaders_close() {
        String role = name();
        Elector first = instance().elector(role, longElection());
        Elector second = deaf().elector(role, longElection());
        Candidacy leading = first.campaign();
        soon("leads", first::isLeader);
        second.campaign();
        soon("follows", () -> second.leader().isPresent());
        long token = first.token().orElseThrow();

        long before = stage().nanos();
        leading.close();
        within(pace(), "the follower leads", second::isLeader);

        assertThat(since(before)).as("not by expiry").isLessThan(soonEnough());
        assertThat(second.token().orElseThrow()).isGreaterThan(token);
    }

    @Test
    void law20_waiters_that_nobody_tells_are_served_one_by_one_each_within_a_look_of_a_release() {
        String name = name();
        HeldLock held = instance().lock(name, locking().renewed()).tryAcquire().orElseThrow();
        List<Deed<HeldLock>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(Deed.blocking(
                    deaf().lock(name, locking().retryEvery(ttl().dividedBy(4)).renewed())::acquire));
        }

        while (!waiting.isEmpty()) {
            assertThat(waiting).as("while it is held").noneMatch(Deed::isOver);
            held.release();
            within(ttl().dividedBy(4), "one is served", () -> waiting.stream().anyMatch(Deed::isOver));
            Deed<HeldLock> served =
                    waiting.stream().filter(Deed::isOver).findFirst().orElseThrow();
            waiting.remove(served);
            assertThat(served.result().token()).isGreaterThan(held.token());
            held = served.result();
        }
    }

    @Test
    void law13_after_work_that_failed_a_follower_that_nobody_tells_goes_first() {
        String role = name();
        Instance failing = instance();
        Instance following = deaf();
        Elector first = failing.elector(role, longElection());
        Elector second = following.elector(role, longElection());
        CountDownLatch go = new CountDownLatch(1);
        first.campaign(term -> {
            go.await();
            throw new IllegalStateException("disk full");
        });
        soon("leads", first::isLeader);
        second.campaign();
        soon("follows", () -> second.leader().isPresent());
        long token = first.token().orElseThrow();

        justAfterALookOf(following);
        long before = stage().nanos();
        go.countDown();
        within(pace(), "somebody leads", () -> second.isLeader() || leadsAbove(token, first));

        assertThat(second.isLeader()).as("the other does").isTrue();
        assertThat(since(before)).as("not by expiry").isLessThan(soonEnough());
        assertThat(failing.seen.of(SteppedDown.class)).hasSize(1);
    }

    @Test
    void law16_with_others_looking_the_next_leader_is_never_the_one_that_resigned() {
        String role = name();
        List<Instance> instances = List.of(deaf(), deaf(), deaf());
        List<Elector> electors = instances.stream()
                .map(instance -> instance.elector(role, longElection()))
                .toList();
        electors.forEach(Elector::campaign);

        for (int i = 0; i < 4; i++) {
            within(pace(), "one leads and two wait", () -> leaderOf(electors) >= 0 && allSee(electors));
            int resigning = leaderOf(electors);
            long token = electors.get(resigning).token().orElseThrow();
            justAfterALookOf(instances.get((resigning + 1) % 3));
            long before = stage().nanos();
            electors.get(resigning).resign();
            within(pace(), "somebody leads", () -> leaderOf(electors) >= 0);

            int next = leaderOf(electors);
            assertThat(since(before)).as("not by expiry").isLessThan(soonEnough());
            assertThat(next).as("leader after resignation %d", i).isNotEqualTo(resigning);
            assertThat(electors.get(next).token().orElseThrow()).isGreaterThan(token);
        }
    }

    private Duration since(long before) {
        return Duration.ofNanos(stage().nanos() - before);
    }

    /** Some way into the pause between two looks: the next one comes before whoever steps down now stands again. */
    private void justAfterALookOf(Instance follower) {
        long looks = looks(follower);
        within(pace(), "looks", () -> looks(follower) > looks);
        elapse(pace().dividedBy(4));
    }

    private static long looks(Instance instance) {
        return instance.wire.calls().stream()
                .filter(Call.Acquire.class::isInstance)
                .count();
    }

    private static boolean leadsAbove(long token, Elector elector) {
        return elector.token().orElse(0) > token;
    }
}
