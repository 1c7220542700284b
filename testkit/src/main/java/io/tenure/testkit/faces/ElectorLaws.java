package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseRecord;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.LeaderChanged;
import io.tenure.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The laws of candidacies: who leads, who follows, who goes first, and what everybody can see of it. */
public abstract class ElectorLaws extends FaceLaws {
    /** For subclasses. */
    protected ElectorLaws() {}

    @Test
    void law01_a_free_role_goes_to_one_of_two_and_the_other_follows() {
        String role = name();
        Instance first = instance();
        Instance second = instance();
        Elector winner = first.elector(role, election());
        Elector follower = second.elector(role, election());

        winner.campaign();
        soon("the first leads", winner::isLeader);
        follower.campaign();

        soon("the second follows", () -> second.seen.has(Following.class));
        assertThat(follower.isLeader()).isFalse();
        assertThat(follower.term()).isEmpty();
        assertThat(follower.token()).isEmpty();
        LeaseRecord leader = second.seen.of(Following.class).get(0).leader();
        assertThat(leader.holder()).isEqualTo(first.tenure.holder());
        assertThat(leader.token()).isEqualTo(winner.token().orElseThrow());
        assertThat(leader.remaining()).isPositive().isLessThanOrEqualTo(ttl());
    }

    @Test
    void law01_an_election_excludes_a_lock_of_the_same_name() {
        String name = name();
        Elector elector = instance().elector(name, election());
        Instance other = instance();

        elector.campaign();
        soon("the elector leads", elector::isLeader);

        assertThat(other.lock(name, locking()).tryAcquire()).isEmpty();
    }

    @Test
    void law01_a_lock_excludes_an_election_of_the_same_name() {
        String name = name();
        Instance locker = instance();
        HeldLock held = locker.lock(name, locking().renewed()).tryAcquire().orElseThrow();
        Instance other = instance();
        Elector elector = other.elector(name, election());

        elector.campaign();
        elapse(ttl());
        assertThat(elector.isLeader()).isFalse();
        held.release();

        within(ttl(), "the lock's release lets the elector lead", elector::isLeader);
        assertThat(elector.token().orElseThrow()).isGreaterThan(held.token());
    }

    @Test
    void law02_tokens_rise_from_term_to_term_whoever_leads() {
        String role = name();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Instance next = instance();
            Elector elector = next.elector(role, election());
            Candidacy candidacy = elector.campaign();
            soon("the next leads", elector::isLeader);
            tokens.add(elector.token().orElseThrow());
            candidacy.close();
        }

        assertThat(tokens).doesNotHaveDuplicates().isSorted().allMatch(token -> token > 0 && token < 1L << 53);
    }

    @Test
    void law09_everything_about_a_term_can_be_read_from_any_thread() {
        String role = name();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());

        elector.campaign();
        soon("leads", elector::isLeader);
        Term term = Deed.of(() -> elector.term().orElseThrow()).result();

        assertThat(Deed.of(elector::isLeader).result()).isTrue();
        assertThat(Deed.of(elector::token).result()).isEqualTo(OptionalLong.of(term.token()));
        assertThat(Deed.of(term::isHeld).result()).isTrue();
        assertThat(Deed.of(term::remaining).result()).isPositive().isLessThanOrEqualTo(ttl());
        assertThat(term.name()).isEqualTo(elector.name());
        assertThat(term.holder()).isEqualTo(instance.tenure.holder());
        assertThatCode(term::requireHeld).doesNotThrowAnyException();
        assertThatThrownBy(() -> term.requireRemaining(ttl().plusSeconds(1))).hasMessageContaining(role);
    }

    @Test
    void law09_the_own_term_is_seen_as_the_store_has_it() {
        String role = name();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        Candidacy before = elector.campaign();
        soon("leads", elector::isLeader);
        before.close();

        elector.campaign();
        soon("leads again", elector::isLeader);
        LeaseRecord stored = found(role).orElseThrow();
        LeaseRecord told = elector.leader().orElseThrow();

        assertThat(told).usingRecursiveComparison().ignoringFields("remaining").isEqualTo(stored);
        assertThat(told.age()).isZero();
    }

    @Test
    void law09_the_leader_that_a_follower_tells_has_an_age() {
        String role = name();
        Instance first = instance();
        Instance second = instance();
        Elector leader = first.elector(role, election());
        Elector follower = second.elector(role, election());
        assertThat(follower.leader()).as("before any answer").isEmpty();

        leader.campaign();
        soon("leads", leader::isLeader);
        follower.campaign();
        soon("follows", () -> follower.leader().isPresent());
        Duration young = follower.leader().orElseThrow().age();
        elapse(ttl().dividedBy(4));
        LeaseRecord told = follower.leader().orElseThrow();

        assertThat(told.age()).isGreaterThanOrEqualTo(young);
        assertThat(told.token()).isEqualTo(leader.token().orElseThrow());
        assertThat(told.holder()).isEqualTo(first.tenure.holder());
    }

    @Test
    void law09_after_its_term_an_instance_does_not_tell_an_older_leader_than_itself() {
        String role = name();
        Elector predecessor = instance().elector(role, election());
        Elector elector = instance().elector(role, election());
        Candidacy before = predecessor.campaign();
        soon("the predecessor leads", predecessor::isLeader);
        elector.campaign();
        soon("the predecessor is seen", () -> elector.leader().isPresent());
        before.close();
        within(ttl(), "leads", elector::isLeader);
        long token = elector.token().orElseThrow();

        elector.resign();

        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.leader().orElseThrow().token()).isGreaterThanOrEqualTo(token);
    }

    @Test
    void law13_a_second_candidacy_at_a_time_is_refused_and_one_after_the_other_is_fine() throws Exception {
        Instance instance = instance();
        Elector elector = instance.elector(name(), election());
        Leading work = new Leading();

        Deed<Void> run = Deed.blocking(() -> {
            elector.run(work);
            return null;
        });
        soon("leads", work::isUnderWay);
        assertThatThrownBy(() -> elector.run(term -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(elector.name());
        assertThatThrownBy(elector::campaign).isInstanceOf(IllegalStateException.class);
        assertThat(work.isUnderWay()).as("the first is not disturbed").isTrue();
        run.interrupt();
        assertThat(run.failure()).isInstanceOf(InterruptedException.class);

        Candidacy next = elector.campaign(work);
        soon("leads again", () -> work.begun() == 2);
        next.close();
        elector.campaign(work);
        soon("leads for the third time", () -> work.begun() == 3);
    }

    @Test
    void law13_a_second_elector_of_a_name_is_refused() {
        String role = name();
        Instance instance = instance();
        instance.elector(role, election());

        assertThatThrownBy(() -> instance.elector(role, election()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(role);
    }

    @Test
    void law20_a_follower_leads_when_the_lease_of_a_crashed_leader_expires_and_not_before() {
        String role = name();
        Instance crashing = instance();
        Elector first = crashing.elector(role, election());
        Instance other = instance();
        Elector second = other.elector(role, election());
        first.campaign();
        soon("leads", first::isLeader);
        second.campaign();
        soon("follows", () -> second.leader().isPresent());

        crashing.crash();
        long before = stage().nanos();
        Duration left = found(role).orElseThrow().remaining();
        within(overATtl(), "the follower leads", second::isLeader);

        assertThat(Duration.ofNanos(stage().nanos() - before)).isGreaterThanOrEqualTo(left.minus(CLOCKS));
        assertThat(first.isLeader())
                .as("the crashed one knows by its own clock")
                .isFalse();
    }

    @Test
    void law20_a_follower_tells_every_new_leader_once() {
        String role = name();
        Instance watching = instance();
        Elector follower = watching.elector(role, election());
        Instance one = instance();
        Elector first = one.elector(role, election());
        Candidacy leading = first.campaign();
        soon("leads", first::isLeader);
        follower.campaign();
        soon("follows", () -> watching.seen.has(Following.class));

        watching.wire.losePushes();
        HeldLock next = swap(leading, role);
        within(ttl().multipliedBy(6), "sees another holder", () -> watching.seen.has(LeaderChanged.class));

        assertThat(watching.seen.of(Following.class)).hasSize(1);
        assertThat(watching.seen.of(LeaderChanged.class)).hasSize(1);
        assertThat(watching.seen.of(LeaderChanged.class).get(0).leader().token())
                .isEqualTo(next.token());
    }

    /** Ends a candidacy and takes its name with a lock, before anybody can come between. */
    private HeldLock swap(Candidacy leading, String name) {
        LeaseLock lock = instance().lock(name, locking().renewed());
        Deed<HeldLock> next = Deed.blocking(lock::acquire);
        leading.close();
        within(ttl(), "the lock is taken over", next::isOver);
        return next.result();
    }

    @Test
    void law27_awaiting_the_end_of_a_candidacy_tells_why_it_ended() throws Exception {
        Instance instance = instance();
        Candidacy candidacy = instance.elector(name(), election()).campaign();
        Deed<EndReason> waiting = Deed.blocking(candidacy::awaitEnd);

        candidacy.close();

        assertThat(waiting.result()).isEqualTo(EndReason.CLOSED);
        assertThat(candidacy.awaitEnd()).isEqualTo(EndReason.CLOSED);
    }

    @Test
    void law27_an_interrupted_wait_for_the_end_leaves_the_candidacy_alone() {
        Elector elector = instance().elector(name(), election());
        Candidacy candidacy = elector.campaign();
        Deed<EndReason> waiting = Deed.blocking(candidacy::awaitEnd);

        waiting.interrupt();

        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        soon("leads all the same", elector::isLeader);
    }
}
