package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.StaleTokenException;
import io.tenure.TenureEvent.DrainOverrun;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.RenewalFailed;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.Term;
import io.tenure.memory.MemoryFence;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The exact times of the hard cases of elections; that they happen on real servers too is shown with the stores. */
class ElectionCasesTest extends FaceLaws {
    private static final Duration INSTANT = Duration.ofNanos(1);

    private HandMovedStage hand = new HandMovedStage();

    @Override
    protected Stage openStage() {
        hand = new HandMovedStage();
        return hand;
    }

    @Test
    void case02_a_leader_without_answers_steps_down_a_ttl_after_it_sent_its_last_good_renewal_to_the_nanosecond() {
        String role = name();
        Instance a = instance();
        Instance b = instance();
        Elector first = a.elector(role, election());
        first.campaign();
        Elector second = b.elector(role, election());
        second.campaign();
        elapse(ttl().multipliedBy(3));
        Term term = first.term().orElseThrow();
        Duration left = term.remaining();
        assertThat(left).as("counted from when the last renewal was sent").isLessThanOrEqualTo(ttl());

        for (Verb verb : Verb.values()) {
            a.wire.always(verb, Fault.holdRequest());
            b.wire.always(verb, Fault.holdRequest());
        }
        elapse(left.minus(INSTANT));
        assertThat(first.isLeader()).isTrue();
        elapse(INSTANT);
        assertThat(first.isLeader()).isFalse();
        assertThat(answer(term.ended().toCompletableFuture())).isEqualTo(EndReason.EXPIRED);
        elapse(ttl());
        assertThat(second.isLeader()).isFalse();

        a.wire.heal();
        b.wire.heal();
        within(ttl().multipliedBy(2), "one leads", () -> first.isLeader() || second.isLeader());
        elapse(ttl());
        assertThat(first.isLeader()).isNotEqualTo(second.isLeader());
        Elector leader = first.isLeader() ? first : second;
        assertThat(leader.token().orElseThrow()).isGreaterThan(term.token());
        assertThat(a.seen.of(SteppedDown.class))
                .containsExactly(new SteppedDown(role, term.token(), EndReason.EXPIRED));
    }

    @Test
    void case07_a_successor_leads_at_the_moment_when_work_has_drained_for_three_ttls_and_not_before() {
        String role = name();
        Instance a = instance();
        Elector first = a.elector(role, election().drainTimeout(ttl().multipliedBy(5)));
        Stubborn work = new Stubborn();
        first.campaign(work);
        Elector second = instance().elector(role, election());
        second.campaign();
        soon("works", () -> work.begun() == 1);

        first.resign();
        for (int part = 0; part < 30; part++) {
            elapse(ttl().dividedBy(10));
            assertThat(second.isLeader())
                    .as("after %d tenths of a ttl", part + 1)
                    .isFalse();
            assertThat(found(role).orElseThrow().remaining()).as("renewed").isPositive();
        }
        assertThat(found(role).orElseThrow().token()).isEqualTo(work.term().token());

        work.allowToEnd();
        soon("the other leads without any time passing", second::isLeader);
        assertThat(a.seen.has(LeaseLost.class)).isFalse();
        assertThat(a.seen.has(DrainOverrun.class)).isFalse();
    }

    @Test
    void case07_closing_leaves_stubborn_work_behind_after_exactly_its_drain_timeout_and_its_token_is_burnt() {
        String role = name();
        Duration drain = ttl().dividedBy(2);
        Instance a = instance();
        Elector elector = a.elector(role, election().drainTimeout(drain));
        Stubborn work = new Stubborn();
        Candidacy candidacy = elector.campaign(work);
        soon("works", () -> work.begun() == 1);
        MemoryFence fence = hand.server().fence(role);
        fence.claim(work.term().token());

        Deed<Void> closing = Deed.blocking(() -> {
            candidacy.close();
            return null;
        });
        soon("interrupted", () -> work.interrupts() == 1);
        elapse(drain.minus(INSTANT));
        assertThat(closing.isOver()).isFalse();
        fence.claim(work.term().token());
        elapse(INSTANT);
        closing.result();

        assertThat(found(role)).isEmpty();
        assertThatThrownBy(() -> fence.claim(work.term().token())).isInstanceOf(StaleTokenException.class);
        assertThat(a.seen.of(DrainOverrun.class))
                .containsExactly(new DrainOverrun(role, work.term().token(), drain));
        work.allowToEnd();
    }

    @Test
    void case08_a_waiter_leads_without_any_time_passing_when_the_leader_closes() {
        String role = name();
        Instance a = instance();
        Elector first = a.elector(role, election());
        first.campaign();
        Elector second = instance().elector(role, election());
        second.campaign();
        elapse(Duration.ofMillis(1));
        long before = stage().nanos();

        a.tenure.close();

        soon("the other leads", second::isLeader);
        assertThat(stage().nanos()).isEqualTo(before);
    }

    @Test
    void case09_a_killed_leader_is_succeeded_a_ttl_and_a_millisecond_after_its_last_renewal() {
        Duration renewEvery = election().build().renewEvery();
        for (int kill = 1; kill <= 20; kill++) {
            String role = name();
            Instance a = instance();
            Elector first = a.elector(role, election());
            first.campaign();
            Elector second = instance().elector(role, election());
            second.campaign();
            elapse(ttl().multipliedBy(kill).dividedBy(7));
            // By when the leader sent it, not by the lease, which says how long it was renewed for.
            Duration left = first.term().orElseThrow().remaining();
            assertThat(left).as("renewed").isGreaterThanOrEqualTo(ttl().minus(renewEvery));
            a.crash();

            elapse(left);
            assertThat(second.isLeader()).as("kill %d", kill).isFalse();
            elapse(Duration.ofMillis(1));
            assertThat(second.isLeader()).as("kill %d", kill).isTrue();
        }
    }

    @Test
    void case10_answers_that_are_held_for_longer_than_one_renewal_may_take_cost_one_event_and_no_term() {
        Instance a = instance();
        Elector elector = a.elector(name(), election());
        elector.campaign();
        long token = elector.token().orElseThrow();
        elapse(ttl());
        Duration renewEvery = election().build().renewEvery();

        a.wire.always(Verb.RENEW, Fault.holdAnswer());
        within(ttl(), "a renewal has failed", () -> a.seen.has(RenewalFailed.class));
        a.wire.heal();
        a.wire.deliverAll();
        elapse(ttl().multipliedBy(3));

        assertThat(elector.token()).hasValue(token);
        assertThat(a.seen.of(RenewalFailed.class)).hasSize(1);
        assertThat(a.seen.of(SteppedDown.class)).isEmpty();
        assertThat(a.seen.of(Elected.class)).hasSize(1);
        assertThat(elector.term().orElseThrow().remaining()).isGreaterThanOrEqualTo(ttl().minus(renewEvery));
    }

    @Test
    void case10_a_term_whose_acquire_was_answered_late_and_never_renewed_ends_a_ttl_after_the_acquire_was_sent() {
        String role = name();
        Instance a = instance();
        Elector elector = a.elector(role, election());
        Duration late = ttl().dividedBy(4);
        a.wire.next(Verb.ACQUIRE, Fault.holdAnswer());
        a.wire.always(Verb.RENEW, Fault.dropRequest());
        elector.campaign();
        elapse(late);
        a.wire.deliverAll();
        soon("leads", elector::isLeader);
        Term term = elector.term().orElseThrow();
        assertThat(term.remaining()).isEqualTo(ttl().minus(late));

        elapse(ttl().minus(late).minus(INSTANT));
        assertThat(term.isHeld()).isTrue();
        elapse(INSTANT);

        assertThat(term.isHeld()).isFalse();
        assertThat(answer(term.ended().toCompletableFuture())).isEqualTo(EndReason.EXPIRED);
        assertThat(a.seen.of(SteppedDown.class))
                .containsExactly(new SteppedDown(role, term.token(), EndReason.EXPIRED));
    }
}
