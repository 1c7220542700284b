package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.StoreException;
import io.tenure.TenureEvent.AttemptFailed;
import io.tenure.TenureEvent.DuplicateHolder;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.LeaseInDanger;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.ReleaseFailed;
import io.tenure.TenureEvent.RenewalFailed;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.TenureEvent.StoreWarning;
import io.tenure.Term;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Takeover;
import io.tenure.testkit.Call;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The laws of electors when the store fails, hangs, or has somebody else of the same id. */
class FaultyElectorLawsTest extends FaceLaws {
    private static final StoreException TROUBLE = StoreException.passing("connection reset");

    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }

    private static List<Takeover> takeovers(Instance instance) {
        return instance.wire.calls().stream()
                .filter(Call.Acquire.class::isInstance)
                .map(call -> ((Call.Acquire) call).request().takeover())
                .toList();
    }

    @Test
    void law04_the_own_leftover_of_a_failed_release_is_taken_over_at_once() {
        String role = name();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        Candidacy candidacy = elector.campaign();
        long token = elector.token().orElseThrow();
        instance.wire.next(Verb.RELEASE, Fault.fail(StoreException.permanent("may not delete")));
        candidacy.close();
        assertThat(found(role)).as("the leftover").isPresent();
        assertThat(instance.seen.has(ReleaseFailed.class)).isTrue();

        elector.campaign();

        assertThat(elector.token().orElseThrow()).isGreaterThan(token);
        assertThat(takeovers(instance)).doesNotContain(Takeover.ANY_INCARNATION);
    }

    @Test
    void law04_while_a_release_is_unanswered_its_leftover_is_neither_taken_over_nor_asked_for_without_pause() {
        String role = name();
        Instance instance = instance();
        Elector elector = instance.elector(role, election());
        elector.campaign();
        instance.wire.next(Verb.RELEASE, Fault.holdRequest());
        elector.resign();
        elapse(ttl().multipliedBy(2));

        assertThat(elector.isLeader()).as("leads again in the end").isTrue();
        assertThat(instance.wire.count(Verb.ACQUIRE)).isLessThan(8);
        Term term = elector.term().orElseThrow();
        instance.wire.deliverAll();
        elapse(ttl());
        assertThat(term.isHeld())
                .as("the late release of an earlier term does no harm")
                .isTrue();
    }

    @Test
    void law04_a_restarted_process_with_a_fixed_id_takes_over_at_once() {
        String role = name();
        Instance before = instance(builder -> builder.holder("node-1"));
        Elector first = before.elector(role, election());
        first.campaign();
        long token = first.token().orElseThrow();
        before.crash();

        Instance after = instance(builder -> builder.holder("node-1"));
        Elector second = after.elector(role, election());
        second.campaign();

        assertThat(second.token().orElseThrow()).as("without any time passing").isGreaterThan(token);
        assertThat(takeovers(after)).containsExactly(Takeover.SAME_INCARNATION, Takeover.ANY_INCARNATION);
        assertThat(after.seen.has(Following.class)).isFalse();
    }

    @Test
    void law04_of_two_live_processes_with_one_id_the_second_leads_once_and_they_do_not_fight() {
        String role = name();
        Instance one = instance(builder -> builder.holder("node-1"));
        Instance two = instance(builder -> builder.holder("node-1"));
        Elector first = one.elector(role, election());
        Elector second = two.elector(role, election());
        Leading work = new Leading();
        first.campaign(work);
        soon("the first leads", work::isUnderWay);
        Term lost = work.term(0);

        second.campaign();
        assertThat(second.isLeader()).isTrue();
        within(election().build().renewEvery(), "the first notices", () -> !lost.isHeld());
        assertThat(answer(lost.ended().toCompletableFuture())).isEqualTo(EndReason.DUPLICATE_HOLDER);
        elapse(ttl().multipliedBy(20));

        assertThat(second.isLeader()).as("no fight").isTrue();
        assertThat(work.begun()).isEqualTo(1);
        assertThat(two.seen.of(Elected.class)).hasSize(1);
        assertThat(one.seen.of(DuplicateHolder.class)).hasSize(1);
        assertThat(two.seen.of(DuplicateHolder.class)).hasSizeLessThanOrEqualTo(1);

        second.resign();
        within(ttl().multipliedBy(2), "the first may lead when the second does not", first::isLeader);
        elapse(ttl().multipliedBy(20));
        assertThat(first.isLeader())
                .as("and the second does not take it over again")
                .isTrue();
    }

    @Test
    void law09_a_leader_that_is_cut_off_is_none_from_its_deadline_on_and_tells_so() {
        Instance instance = instance();
        Elector elector = instance.elector(name(), election());
        Leading work = new Leading();
        elector.campaign(work);
        soon("leads", work::isUnderWay);
        Term term = work.term(0);
        instance.crash();
        Duration left = term.remaining();

        elapse(left.minusNanos(1));
        assertThat(term.isHeld()).isTrue();
        assertThat(elector.isLeader()).isTrue();
        elapse(Duration.ofNanos(1));

        assertThat(term.isHeld()).isFalse();
        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.token()).isEmpty();
        assertThat(answer(term.ended().toCompletableFuture())).isEqualTo(EndReason.EXPIRED);
        soon("interrupted", () -> work.interrupts() == 1);
        assertThat(instance.seen.has(LeaseInDanger.class)).isTrue();
        assertThat(instance.seen.of(LeaseLost.class))
                .extracting(LeaseLost::reason)
                .containsExactly(EndReason.EXPIRED);
    }

    @Test
    void law10_failing_and_unanswered_renewals_cost_no_lease_that_the_next_one_can_save() {
        Instance instance = instance();
        Elector elector = instance.elector(name(), election());
        elector.campaign();
        elapse(Duration.ofMillis(1));
        instance.wire.next(Verb.RENEW, Fault.fail(TROUBLE), Fault.dropRequest());
        Term term = elector.term().orElseThrow();

        elapse(ttl().multipliedBy(2));

        assertThat(term.isHeld()).isTrue();
        assertThat(instance.seen.of(RenewalFailed.class)).hasSize(2);
        assertThat(instance.seen.has(LeaseLost.class)).isFalse();
    }

    @Test
    void law12_ended_is_complete_when_the_work_is_interrupted_even_if_the_callbacks_are_busy() {
        Queue<Runnable> busy = new ArrayDeque<>();
        Instance instance = instance(builder -> builder.callbacks(busy::add));
        Elector elector = instance.elector(name(), election());
        List<EndReason> seen = new CopyOnWriteArrayList<>();
        CountDownLatch leading = new CountDownLatch(1);
        elector.campaign(term -> {
            leading.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                seen.add(term.ended().toCompletableFuture().getNow(EndReason.CLOSED));
            }
        });
        soon("leads", () -> leading.getCount() == 0);

        elector.resign();

        soon("the work ends", () -> !seen.isEmpty());
        assertThat(seen).containsExactly(EndReason.RESIGNED);
    }

    @Test
    void law12_an_executor_of_callbacks_that_refuses_costs_no_release() {
        String role = name();
        Instance instance = instance(builder -> builder.callbacks(task -> {
            throw new IllegalStateException("shut down");
        }));
        Elector elector = instance.elector(role, election());
        Leading work = new Leading();
        elector.campaign(work);
        soon("leads", work::isUnderWay);

        elector.resign();

        soon("interrupted", () -> work.interrupts() == 1);
        soon("released", () -> found(role).isEmpty());
        assertThat(answer(work.term(0).ended().toCompletableFuture())).isEqualTo(EndReason.RESIGNED);
    }

    @Test
    void law13_a_term_whose_work_gets_no_thread_has_failed() {
        String role = name();
        Instance instance = instance(builder -> builder.workThreads(task -> {
            throw new OutOfMemoryError("no more threads");
        }));
        Elector elector = instance.elector(role, election());

        elector.campaign(new Leading());

        assertThat(found(role)).isEmpty();
        assertThat(instance.seen.of(SteppedDown.class))
                .extracting(SteppedDown::reason)
                .containsExactly(EndReason.WORK_FAILED);
    }

    @Test
    void law18_a_renewal_that_was_due_but_not_sent_is_not_sent_after_the_release() {
        Instance instance = instance();
        Elector elector = instance.elector(name(), election());
        elector.campaign();

        elector.resign();
        assertThat(instance.wire.count(Verb.RELEASE)).isEqualTo(1);
        elapse(Duration.ofMillis(10));

        assertThat(instance.wire.count(Verb.RENEW)).isZero();
    }

    @Test
    void law19_what_a_store_reports_after_close_reaches_nobody_and_harms_nobody() {
        AtomicReference<StoreListener> listener = new AtomicReference<>();
        LeaseStore target = stage().connect();
        LeaseStore spied = (LeaseStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("listen")) {
                        listener.set((StoreListener) arguments[0]);
                    }
                    return method.invoke(target, arguments);
                });
        Instance closing = instance(spied, builder -> builder);
        listener.get().report(new StoreWarning("in time"));

        closing.tenure.close();
        listener.get().report(new StoreWarning("late"));

        assertThat(closing.seen.of(StoreWarning.class)).containsExactly(new StoreWarning("in time"));
    }

    @Test
    void law23_store_errors_back_off_and_any_answer_resets_that() {
        Instance instance = instance();
        instance.wire.always(Verb.ACQUIRE, Fault.fail(TROUBLE));
        Elector elector = instance.elector(name(), election().retryEvery(ttl().dividedBy(60)));

        elector.campaign();
        elapse(ttl().multipliedBy(10));
        long tried = instance.wire.count(Verb.ACQUIRE);
        assertThat(tried).as("an outage does not become a storm").isBetween(10L, 24L);
        assertThat(instance.seen.of(AttemptFailed.class)).hasSize((int) tried);
        instance.wire.heal();

        within(ttl(), "leads when the store is back", elector::isLeader);
    }

    @Test
    void law23_when_the_store_comes_back_a_waiter_of_a_long_ttl_does_not_sleep_its_pause_out() {
        Instance instance = instance();
        instance.wire.always(Verb.ACQUIRE, Fault.fail(TROUBLE));
        instance.wire.breakPushes();
        Elector elector = instance.elector(
                name(), ElectorOptions.ofTtl(Duration.ofMinutes(10)).retryEvery(Duration.ofMinutes(5)));
        elector.campaign();
        elapse(Duration.ofMinutes(30));
        long tried = instance.wire.count(Verb.ACQUIRE);

        instance.wire.heal();

        assertThat(elector.isLeader()).as("without any time passing").isTrue();
        assertThat(instance.wire.count(Verb.ACQUIRE)).isEqualTo(tried + 1);
    }

    @Test
    void law17_closing_during_an_unanswered_attempt_gives_back_what_it_may_have_been_granted() {
        String role = name();
        Instance instance = instance();
        instance.wire.next(Verb.ACQUIRE, Fault.holdAnswer());
        Candidacy candidacy = instance.elector(role, election()).campaign();
        assertThat(found(role)).as("granted, but not known").isPresent();

        candidacy.close();

        assertThat(found(role)).isEmpty();
        assertThat(instance.seen.has(AttemptFailed.class))
                .as("closing reports no failed attempt")
                .isFalse();
        instance.wire.deliverAll();
        assertThat(instance.seen.has(Elected.class)).isFalse();
    }
}
