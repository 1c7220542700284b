package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.TenureEvent.WorkFailed;
import io.tenure.Term;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The laws of how terms end, and of who goes next. */
public abstract class TermLaws extends FaceLaws {
    /** For subclasses. */
    protected TermLaws() {}

    @Test
    void law10_a_leader_goes_on_leading_beyond_its_ttl_under_one_token() {
        Instance instance = instance();
        Elector elector = instance.elector(name(), election());
        Leading work = new Leading();
        elector.campaign(work);
        soon("leads", work::isUnderWay);

        elapse(ttl().multipliedBy(3));

        assertThat(elector.isLeader()).isTrue();
        assertThat(work.begun()).isEqualTo(1);
        assertThat(instance.seen.has(LeaseLost.class)).isFalse();
    }

    @Test
    void law12_resigning_ends_the_term_at_once_from_any_thread_and_interrupts_the_work() {
        Instance instance = instance();
        Elector elector = instance.elector(name(), election());
        Leading work = new Leading();
        elector.campaign(work);
        soon("leads", work::isUnderWay);
        Term term = work.term(0);

        Boolean heldRightAfter = Deed.of(() -> {
                    term.resign();
                    return term.isHeld()
                            || elector.isLeader()
                            || elector.token().isPresent()
                            || elector.term().isPresent();
                })
                .result();

        assertThat(heldRightAfter).isFalse();
        soon("the work is interrupted", () -> work.interrupts() == 1);
        soon("the term is told to be over", () -> instance.seen.has(SteppedDown.class));
        assertThat(answer(term.ended().toCompletableFuture())).isEqualTo(EndReason.RESIGNED);
        assertThat(instance.seen.of(SteppedDown.class))
                .containsExactly(new SteppedDown(elector.name(), term.token(), EndReason.RESIGNED));
        assertThatThrownBy(term::requireHeld)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(EndReason.RESIGNED));
        assertThat(term.remaining()).isZero();
    }

    @Test
    void law12_resigning_without_leading_has_no_effect() {
        String role = name();
        Elector leader = instance().elector(role, election());
        Instance other = instance();
        Elector follower = other.elector(role, succession());
        follower.resign();
        leader.campaign();
        soon("leads", leader::isLeader);
        follower.campaign();
        soon("follows", () -> follower.leader().isPresent());

        follower.resign();
        elapse(ttl().dividedBy(2));

        assertThat(leader.isLeader()).isTrue();
        leader.resign();
        within(ttl(), "the follower still stands", follower::isLeader);
    }

    @Test
    void law12_resigning_a_past_term_does_not_touch_the_present_one() {
        Elector elector = instance().elector(name(), election());
        elector.campaign();
        soon("leads", elector::isLeader);
        Term past = elector.term().orElseThrow();
        past.resign();
        within(ttl(), "leads again", elector::isLeader);
        Term present = elector.term().orElseThrow();

        past.resign();

        assertThat(present.isHeld()).isTrue();
        assertThat(present.token()).isGreaterThan(past.token());
        assertThat(past.isHeld()).isFalse();
    }

    @Test
    void law13_work_that_returns_ends_its_term_and_run_stands_again() {
        String role = name();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        Leading work = new Leading();
        Deed<Void> run = Deed.blocking(() -> {
            elector.run(work);
            return null;
        });
        soon("leads", work::isUnderWay);

        long before = stage().nanos();
        work.finish();
        soon("is over", () -> instance.seen.has(SteppedDown.class));
        assertThat(instance.seen.of(SteppedDown.class).get(0).reason()).isEqualTo(EndReason.WORK_RETURNED);
        assertThat(found(role)).as("released at once").isEmpty();
        within(ttl(), "leads again", () -> work.begun() == 2);

        assertThat(run.isOver()).isFalse();
        assertThat(Duration.ofNanos(stage().nanos() - before))
                .as("held off")
                .isGreaterThanOrEqualTo(ttl().dividedBy(2));
        assertThat(work.tokens()).isSorted().doesNotHaveDuplicates();
        run.interrupt();
        assertThat(run.failure()).isInstanceOf(InterruptedException.class);
        assertThat(elector.isLeader()).isFalse();
        assertThat(found(role)).as("released when run has thrown").isEmpty();
        assertThat(instance.seen.of(SteppedDown.class).get(1).reason()).isEqualTo(EndReason.INTERRUPTED);
    }

    @Test
    void law13_work_that_fails_ends_its_term_frees_the_lease_and_is_told() {
        String role = name();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        IOException failure = new IOException("disk full");

        elector.campaign(term -> {
            throw failure;
        });
        soon("is over", () -> instance.seen.has(SteppedDown.class));

        assertThat(found(role)).as("released at once").isEmpty();
        assertThat(instance.seen.of(WorkFailed.class))
                .extracting(WorkFailed::cause)
                .containsExactly(failure);
        assertThat(instance.seen.of(SteppedDown.class))
                .extracting(SteppedDown::reason)
                .containsExactly(EndReason.WORK_FAILED);
    }

    @Test
    void law13_work_that_keeps_failing_waits_twice_as_long_every_time() {
        Elector elector = instance().elector(name(), election().retryEvery(ttl().dividedBy(8)));
        List<Long> begun = new CopyOnWriteArrayList<>();
        elector.campaign(term -> {
            begun.add(stage().nanos());
            throw new IllegalStateException("not today");
        });

        within(ttl().multipliedBy(3), "has tried four times", () -> begun.size() >= 4);

        Duration pace = ttl().dividedBy(8);
        for (int i = 1; i < 4; i++) {
            long doubled = pace.toNanos() << (i - 1);
            assertThat(begun.get(i) - begun.get(i - 1)).as("pause %d", i).isGreaterThan(doubled / 10 * 7);
        }
    }

    @Test
    void law13_an_error_of_the_work_ends_the_candidacy_and_is_rethrown_by_run() {
        String role = name();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        Error error = new StackOverflowError("deep");

        Deed<Void> run = Deed.of(() -> {
            elector.run(term -> {
                throw error;
            });
            return null;
        });

        assertThat(run.failure()).isSameAs(error);
        assertThat(found(role)).isEmpty();
        assertThat(instance.seen.of(WorkFailed.class))
                .extracting(WorkFailed::cause)
                .containsExactly(error);
        elapse(ttl());
        assertThat(instance.seen.of(Elected.class)).as("does not stand again").hasSize(1);
    }

    @Test
    void law13_an_error_of_the_work_is_rethrown_to_whoever_awaits_the_end_and_another_candidacy_may_follow() {
        Elector elector = instance().elector(name(), election());
        AtomicReference<Error> error = new AtomicReference<>(new AssertionError("wrong"));

        Candidacy candidacy = elector.campaign(term -> {
            throw error.get();
        });

        assertThat(Deed.of(candidacy::awaitEnd).failure()).isSameAs(error.get());
        assertThatThrownBy(candidacy::awaitEnd).isSameAs(error.get());
        candidacy.close();
        Leading work = new Leading();
        elector.campaign(work);
        soon("leads again", work::isUnderWay);
    }

    @Test
    void law16_whoever_resigned_holds_off_for_one_retry_and_then_stands_again() {
        Duration pause = ttl().dividedBy(3);
        Instance instance = instance();
        Elector elector = instance.elector(name(), election().retryEvery(pause));
        elector.campaign();
        soon("leads", elector::isLeader);

        long before = stage().nanos();
        elector.resign();
        within(pause, "leads again", elector::isLeader);

        assertThat(Duration.ofNanos(stage().nanos() - before)).isGreaterThanOrEqualTo(pause);
        soon("told", () -> instance.seen.of(Elected.class).size() == 2);
        assertThat(instance.seen.order(List.of(Elected.class, SteppedDown.class)))
                .containsExactly("Elected", "SteppedDown", "Elected");
    }

    @Test
    void law05_a_term_that_is_ended_by_force_is_lost_at_the_next_renewal() {
        String role = name();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        Leading work = new Leading();
        elector.campaign(work);
        soon("leads", work::isUnderWay);
        Term term = work.term(0);

        evict(role);
        within(ttl().dividedBy(2), "is lost", () -> !term.isHeld());

        assertThat(answer(term.ended().toCompletableFuture())).isEqualTo(EndReason.FORCED);
        soon("interrupted", () -> work.interrupts() == 1);
        within(ttl(), "leads again", () -> work.begun() == 2);
        assertThat(work.term(1).token()).as("a token was burnt").isGreaterThan(term.token() + 1);
    }
}
