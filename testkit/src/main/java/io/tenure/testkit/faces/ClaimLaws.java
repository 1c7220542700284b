package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.Fence;
import io.tenure.InProcessFence;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent.DrainOverrun;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.FenceRejected;
import io.tenure.TenureEvent.SteppedDown;
import io.tenure.TenureEvent.WorkFailed;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The laws of the fences that an elector claims for every new term. */
public abstract class ClaimLaws extends FaceLaws {
    /** For subclasses. */
    protected ClaimLaws() {}

    @Test
    void law26_a_term_appears_only_after_all_fences_are_claimed_in_order_on_the_works_thread() {
        Instance instance = instance();
        List<String> order = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        InProcessFence first = new InProcessFence("first");
        Elector elector = instance.elector(
                name(),
                election()
                        .claims(noting("first", first, order, threads), noting("second", token -> {}, order, threads)));
        Leading work = new Leading();

        elector.campaign(term -> {
            order.add("work");
            threads.add(Thread.currentThread());
            work.lead(term);
        });
        soon("leads", work::isUnderWay);

        assertThat(order).containsExactly("first", "second", "work");
        assertThat(threads).allMatch(thread -> thread == threads.get(0)).doesNotContain(Thread.currentThread());
        assertThat(first.mark()).isEqualTo(work.term(0).token());
    }

    private static Fence noting(String what, Fence fence, List<String> order, List<Thread> threads) {
        return token -> {
            order.add(what);
            threads.add(Thread.currentThread());
            fence.claim(token);
        };
    }

    @Test
    void law26_while_a_fence_is_being_claimed_the_lease_is_renewed_and_nobody_is_elected() {
        String role = name();
        Instance instance = instance();
        SlowFence fence = new SlowFence();
        Elector elector = instance.elector(role, election().claims(fence).drainTimeout(ttl().multipliedBy(20)));
        Leading work = new Leading();
        elector.campaign(work);
        soon("claims", () -> fence.claiming.getCount() == 0);

        elapse(ttl().multipliedBy(2));
        assertThat(found(role).orElseThrow().holder()).isEqualTo(instance.tenure.holder());
        assertThat(elector.term()).isEmpty();
        assertThat(elector.token()).isEmpty();
        assertThat(elector.isLeader()).isFalse();
        assertThat(instance.seen.has(Elected.class)).isFalse();
        assertThat(work.begun()).isZero();
        fence.mayEnd.countDown();

        soon("leads", work::isUnderWay);
        assertThat(elector.isLeader()).isTrue();
        soon("is told", () -> instance.seen.has(Elected.class));
    }

    @Test
    void law26_closing_while_a_fence_is_being_claimed_starts_no_work() {
        String role = name();
        Instance instance = instance();
        SlowFence fence = new SlowFence();
        Elector elector = instance.elector(role, election().claims(fence));
        Leading work = new Leading();
        Candidacy candidacy = elector.campaign(work);
        soon("claims", () -> fence.claiming.getCount() == 0);

        Deed.of(() -> {
                    candidacy.close();
                    return null;
                })
                .result();

        assertThat(work.begun()).isZero();
        assertThat(found(role)).isEmpty();
        assertThat(instance.seen.has(Elected.class)).isFalse();
        assertThat(instance.seen.has(SteppedDown.class))
                .as("who was not elected does not step down")
                .isFalse();
    }

    @Test
    void law26_a_failing_claim_ends_the_term_as_failed_work_and_another_goes_first() {
        String role = name();
        Instance failing = instance();
        StoreException trouble = StoreException.passing("the resource is down");
        Elector first = failing.elector(role, election().claims(token -> {
            throw trouble;
        }));
        Leading work = new Leading();
        Elector second = instance().elector(role, election());

        first.campaign(work);
        soon("is told", () -> failing.seen.has(WorkFailed.class));
        soon("is released", () -> found(role).isEmpty());
        second.campaign();
        soon("the other leads", second::isLeader);

        assertThat(failing.seen.of(WorkFailed.class))
                .extracting(WorkFailed::cause)
                .containsExactly(trouble);
        assertThat(failing.seen.has(Elected.class)).isFalse();
        assertThat(work.begun()).isZero();
    }

    @Test
    void law26_a_refusal_with_a_higher_mark_raises_the_floor_of_the_next_token() {
        Instance instance = instance();
        long mark = 1L << 52;
        AtomicInteger refused = new AtomicInteger();
        Elector elector = instance.elector(name(), patient().claims(token -> {
            if (token <= mark) {
                refused.incrementAndGet();
                throw new StaleTokenException("resource", token, mark);
            }
        }));
        Leading work = new Leading();

        elector.campaign(work);
        within(ttl(), "leads in the end", work::isUnderWay);

        assertThat(refused).hasValue(1);
        assertThat(instance.seen.of(FenceRejected.class))
                .as("told with name, token and mark")
                .singleElement()
                .satisfies(told -> assertThat(told).isEqualTo(new FenceRejected("resource", told.token(), mark)));
        assertThat(work.term(0).token()).isGreaterThan(mark);
    }

    /** Hand-moved time may pass quicker than the thread of a claim gets its turn. */
    private ElectorOptions.Builder patient() {
        return election().drainTimeout(ttl().multipliedBy(100));
    }

    @Test
    void law26_a_candidacy_without_work_claims_its_fences_too() {
        Instance instance = instance();
        InProcessFence fence = new InProcessFence("resource");
        Elector elector = instance.elector(name(), patient().claims(fence));

        Candidacy candidacy = elector.campaign();
        soon("leads", elector::isLeader);
        assertThat(fence.mark()).isEqualTo(elector.token().orElseThrow());
        long before = fence.mark();
        elector.resign();
        within(ttl(), "leads again", elector::isLeader);

        assertThat(fence.mark()).isGreaterThan(before).isEqualTo(elector.token().orElseThrow());
        Deed.of(() -> {
                    candidacy.close();
                    return null;
                })
                .result();
        assertThat(instance.seen.has(WorkFailed.class)).isFalse();
    }

    @Test
    void law26_a_claim_that_overruns_the_drain_is_abandoned_like_work() {
        String role = name();
        Instance instance = instance();
        Duration drain = ttl().dividedBy(4);
        SlowFence fence = new SlowFence();
        Elector elector = instance.elector(role, election().claims(fence.deaf()).drainTimeout(drain));
        Candidacy candidacy = elector.campaign(new Leading());
        soon("claims", () -> fence.claiming.getCount() == 0);

        Deed<Void> closing = Deed.blocking(() -> {
            candidacy.close();
            return null;
        });
        within(drain, "close returns", closing::isOver);

        assertThat(found(role)).isEmpty();
        fence.mayEnd.countDown();
    }

    @Test
    void law26_a_claim_that_hangs_is_interrupted_at_the_drain_timeout_and_another_leads() {
        String role = name();
        Duration bound = ttl().dividedBy(2);
        Instance hanging = instance();
        SlowFence fence = new SlowFence();
        Elector first = hanging.elector(
                role, election().claims(fence).drainTimeout(bound).signalOnly());
        Leading work = new Leading();
        Elector second = instance().elector(role, election());
        first.campaign(work);
        soon("claims", () -> fence.claiming.getCount() == 0);
        second.campaign();

        within(bound, "is told", () -> hanging.seen.has(WorkFailed.class));
        soon("the other leads", second::isLeader);

        assertThat(fence.mayEnd.getCount()).as("it was not allowed to end").isEqualTo(1);
        assertThat(work.begun()).isZero();
        assertThat(hanging.seen.of(WorkFailed.class).get(0).cause())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(role)
                .hasMessageContaining("drain timeout");
        assertThat(hanging.seen.has(DrainOverrun.class)).isFalse();
        assertThat(hanging.seen.has(Elected.class)).isFalse();
    }

    @Test
    void law12_a_claim_that_hangs_deaf_to_interrupts_is_abandoned_and_its_instance_stands_only_after_it_ended() {
        String role = name();
        Duration bound = ttl().dividedBy(4);
        Instance hanging = instance();
        SlowFence fence = new SlowFence();
        Elector first = hanging.elector(role, election().claims(fence.deaf()).drainTimeout(bound));
        Leading work = new Leading();
        first.campaign(work);
        soon("claims", () -> fence.claiming.getCount() == 0);
        long token = found(role).orElseThrow().token();

        within(bound.multipliedBy(3), "overruns", () -> hanging.seen.has(DrainOverrun.class));
        soon("is released", () -> found(role).isEmpty());
        elapse(ttl());
        assertThat(found(role)).as("it does not stand again").isEmpty();
        assertThat(hanging.releases()).extracting(ReleaseRequest::mode).containsExactly(ReleaseMode.BURN);

        long asked = hanging.wire.count(Verb.ACQUIRE);
        fence.mayEnd.countDown();
        soon("stands again", () -> {
            elapse(ttl().dividedBy(20));
            return hanging.wire.count(Verb.ACQUIRE) > asked;
        });
        soon("has it", () -> found(role).isPresent());
        assertThat(found(role).orElseThrow().token()).as("burnt in between").isGreaterThan(token + 1);
    }

    /** A fence whose claim takes until it is told to end. */
    private static final class SlowFence implements Fence {
        private final CountDownLatch claiming = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        @Override
        public void claim(long token) {
            claiming.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw StoreException.passing("interrupted", e);
            }
        }

        /** The same one, deaf to interrupts. */
        Fence deaf() {
            return token -> {
                claiming.countDown();
                while (mayEnd.getCount() > 0) {
                    Thread.onSpinWait();
                }
            };
        }
    }
}
