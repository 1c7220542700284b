package io.tenure.testkit.faces;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.TenureEvent.DrainOverrun;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.Term;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The laws of what happens between the end of a term and the end of its work. */
public abstract class DrainLaws extends FaceLaws {
    /** For subclasses. */
    protected DrainLaws() {}

    @Test
    void law12_a_successor_leads_only_after_the_work_of_its_predecessor_has_ended() {
        String role = name();
        Instance draining = instance();
        Elector first = draining.elector(role, election().drainTimeout(ttl().multipliedBy(20)));
        Elector second = instance().elector(role, succession());
        Stubborn work = new Stubborn();
        first.campaign(work);
        soon("leads", () -> work.begun() == 1);
        second.campaign();

        first.resign();
        soon("is told to end", () -> work.interrupts() == 1);
        elapse(ttl().multipliedBy(2));

        assertThat(second.isLeader())
                .as("while the work drains the lease is renewed")
                .isFalse();
        assertThat(found(role).orElseThrow().holder()).isEqualTo(draining.tenure.holder());
        assertThat(first.isLeader()).isFalse();
        assertThat(work.term().isHeld()).isFalse();
        assertThat(draining.seen.has(SteppedDown.class))
                .as("not before the work has ended")
                .isFalse();
        work.allowToEnd();
        within(ttl(), "the successor leads", second::isLeader);
        assertThat(work.ended()).isEqualTo(1);
        soon("told", () -> draining.seen.has(SteppedDown.class));
        assertThat(draining.releases()).extracting(ReleaseRequest::mode).containsExactly(ReleaseMode.PLAIN);
    }

    @Test
    void law12_work_that_overruns_its_drain_timeout_loses_its_lease_and_its_token() {
        String role = name();
        Duration drain = ttl().dividedBy(2);
        Instance draining = instance();
        Elector first = draining.elector(role, election().drainTimeout(drain));
        Stubborn work = new Stubborn();
        first.campaign(work);
        soon("leads", () -> work.begun() == 1);
        Term term = work.term();

        long before = stage().nanos();
        term.resign();
        within(drain, "overruns", () -> draining.seen.has(DrainOverrun.class));

        assertThat(Duration.ofNanos(stage().nanos() - before)).isGreaterThanOrEqualTo(drain);
        assertThat(draining.seen.of(DrainOverrun.class))
                .containsExactly(new DrainOverrun(first.name(), term.token(), drain));
        soon("is released", () -> found(role).isEmpty());
        assertThat(draining.releases()).extracting(ReleaseRequest::mode).containsExactly(ReleaseMode.BURN);
        work.allowToEnd();
    }

    @Test
    void law12_an_instance_does_not_stand_again_before_its_abandoned_work_has_ended() {
        String role = name();
        Duration drain = ttl().dividedBy(4);
        Instance draining = instance();
        Elector elector = draining.elector(role, election().drainTimeout(drain));
        Stubborn work = new Stubborn();
        elector.campaign(work);
        soon("leads", () -> work.begun() == 1);
        long token = work.term().token();

        elector.resign();
        within(drain, "overruns", () -> draining.seen.has(DrainOverrun.class));
        elapse(ttl().multipliedBy(2));
        assertThat(work.begun()).isEqualTo(1);
        assertThat(found(role)).as("it does not even ask").isEmpty();

        work.allowToEnd();
        within(ttl(), "stands again", () -> work.begun() == 2);
        assertThat(work.term().token()).isGreaterThan(token + 1);
        soon("told", () -> draining.seen.of(Elected.class).size() == 2);
        assertThat(draining.seen.order(List.of(Elected.class, SteppedDown.class)))
                .startsWith("Elected", "SteppedDown", "Elected");
    }

    @Test
    void law12_close_returns_when_the_work_overruns_and_the_next_candidacy_waits_for_it() {
        String role = name();
        Duration drain = ttl().dividedBy(4);
        Instance draining = instance();
        Elector elector = draining.elector(role, election().drainTimeout(drain));
        Stubborn work = new Stubborn();
        Candidacy candidacy = elector.campaign(work);
        soon("leads", () -> work.begun() == 1);

        Deed<Void> closing = Deed.blocking(() -> {
            candidacy.close();
            return null;
        });
        within(drain, "close returns", closing::isOver);

        assertThat(draining.seen.has(DrainOverrun.class)).isTrue();
        assertThat(draining.seen.of(SteppedDown.class))
                .extracting(SteppedDown::reason)
                .containsExactly(EndReason.CLOSED);
        assertThat(work.ended()).isZero();
        assertThatThrownBy(elector::campaign)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(role);
        work.allowToEnd();
        soon("the work has ended", () -> work.ended() == 1);
        soon("may stand again", () -> mayStand(elector));
    }

    private static boolean mayStand(Elector elector) {
        try {
            elector.campaign();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void law12_interrupted_run_returns_when_the_work_overruns() {
        Duration drain = ttl().dividedBy(4);
        Instance draining = instance();
        Elector elector = draining.elector(name(), election().drainTimeout(drain));
        Stubborn work = new Stubborn();
        Deed<Void> run = Deed.blocking(() -> {
            elector.run(work);
            return null;
        });
        soon("leads", () -> work.begun() == 1);

        run.interrupt();
        soon("the work is told to end", () -> work.interrupts() == 1);
        assertThat(run.isOver()).as("run waits for its work").isFalse();
        within(drain, "run returns", run::isOver);

        assertThat(run.failure()).isInstanceOf(InterruptedException.class);
        assertThat(work.ended()).isZero();
        work.allowToEnd();
    }

    @Test
    void law12_after_a_loss_the_work_is_awaited_before_the_instance_stands_again() {
        String role = name();
        Instance losing = instance();
        Elector elector = losing.elector(role, election().drainTimeout(ttl().multipliedBy(20)));
        Stubborn work = new Stubborn();
        elector.campaign(work);
        soon("leads", () -> work.begun() == 1);

        evict(role);
        within(ttl().dividedBy(2), "is lost", () -> work.interrupts() == 1);
        elapse(ttl());
        assertThat(found(role)).as("does not stand while its work runs").isEmpty();
        assertThat(losing.seen.has(SteppedDown.class)).isFalse();

        work.allowToEnd();
        within(ttl(), "stands again", () -> work.begun() == 2);
        soon("told", () -> losing.seen.of(Elected.class).size() == 2);
        assertThat(losing.seen.order(List.of(Elected.class, LeaseLost.class, SteppedDown.class)))
                .startsWith("Elected", "LeaseLost", "SteppedDown", "Elected");
        assertThat(losing.seen.of(SteppedDown.class).get(0).reason()).isEqualTo(EndReason.FORCED);
    }

    @Test
    void law12_on_loss_the_term_is_not_held_then_ended_completes_then_the_work_is_interrupted() {
        String role = name();
        Instance losing = instance();
        Elector elector = losing.elector(role, election());
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch leading = new CountDownLatch(1);
        elector.campaign(term -> {
            term.ended().thenRun(() -> order.add("ended, held=" + term.isHeld()));
            leading.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                order.add("interrupted, held=" + term.isHeld() + ", leader=" + elector.isLeader() + ", ended="
                        + term.ended().toCompletableFuture().getNow(EndReason.CLOSED));
                throw e;
            }
        });
        soon("leads", () -> leading.getCount() == 0);

        evict(role);
        within(ttl().dividedBy(2), "both happen", () -> order.size() >= 2);

        assertThat(order)
                .containsExactlyInAnyOrder("ended, held=false", "interrupted, held=false, leader=false, ended=FORCED");
    }

    @Test
    void law12_signal_only_work_is_never_interrupted_and_sees_the_end_by_itself() {
        String role = name();
        Elector elector = instance().elector(role, election().signalOnly());
        Stubborn work = new Stubborn();
        elector.campaign(work);
        soon("leads", () -> work.begun() == 1);
        Term term = work.term();

        elector.resign();
        assertThat(term.isHeld()).isFalse();
        assertThat(answer(term.ended().toCompletableFuture())).isEqualTo(EndReason.RESIGNED);
        elapse(ttl().dividedBy(4));
        assertThat(work.interrupts()).isZero();
        work.allowToEnd();
        soon("released", () -> found(role).isEmpty());
        assertThat(work.interrupts()).isZero();
    }

    @Test
    void law12_losing_the_claim_while_the_work_drains_is_an_event() {
        String role = name();
        Instance draining = instance();
        Elector elector = draining.elector(role, election().drainTimeout(ttl().multipliedBy(20)));
        Stubborn work = new Stubborn();
        elector.campaign(work);
        soon("leads", () -> work.begun() == 1);
        elector.resign();
        soon("drains", () -> work.interrupts() == 1);

        evict(role);
        within(ttl(), "the loss is told", () -> draining.seen.has(LeaseLost.class));

        assertThat(draining.seen.of(LeaseLost.class))
                .extracting(LeaseLost::reason)
                .containsExactly(EndReason.FORCED);
        work.allowToEnd();
        soon("the end is told", () -> draining.seen.has(SteppedDown.class));
        assertThat(draining.seen.of(SteppedDown.class))
                .extracting(SteppedDown::reason)
                .containsExactly(EndReason.RESIGNED);
    }

    @Test
    void law12_closing_while_the_work_of_a_resigned_term_drains_ends_the_candidacy_too() throws Exception {
        Instance draining = instance();
        Elector elector = draining.elector(name(), election().drainTimeout(ttl().multipliedBy(20)));
        Stubborn work = new Stubborn();
        Candidacy candidacy = elector.campaign(work);
        soon("leads", () -> work.begun() == 1);
        elector.resign();
        Deed<Void> closing = Deed.blocking(() -> {
            candidacy.close();
            return null;
        });
        assertThat(closing.isOver()).isFalse();

        work.allowToEnd();

        closing.result();
        assertThat(candidacy.awaitEnd()).isEqualTo(EndReason.CLOSED);
        assertThat(draining.seen.of(SteppedDown.class))
                .extracting(SteppedDown::reason)
                .containsExactly(EndReason.RESIGNED);
    }

    @Test
    void law19_awaiting_the_end_of_a_candidacy_from_inside_its_work_is_refused_instead_of_waiting_for_itself() {
        AtomicReference<Candidacy> own = new AtomicReference<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        CountDownLatch known = new CountDownLatch(1);
        String role = name();
        Candidacy candidacy = instance().elector(role, election()).campaign(term -> {
            known.await();
            try {
                requireNonNull(own.get()).awaitEnd();
            } catch (IllegalStateException e) {
                thrown.set(e);
            }
            requireNonNull(own.get()).close();
        });
        own.set(candidacy);
        known.countDown();

        assertThat(Deed.of(candidacy::awaitEnd).result()).isEqualTo(EndReason.CLOSED);
        assertThat(thrown.get()).hasMessageContaining(role).hasMessageContaining("inside its own work");
        assertThat(Deed.of(candidacy::awaitEnd).result()).as("it has ended").isEqualTo(EndReason.CLOSED);
    }
}
