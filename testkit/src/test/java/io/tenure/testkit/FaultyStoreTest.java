package io.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final StoreException RESET = StoreException.passing("connection reset");

    private final MemoryLeaseStore target = MemoryLeaseStore.on(new ManualTimeline());
    private final FaultyStore store = FaultyStore.over(target);
    private final Faults faults = store.faults();

    @Test
    void without_a_fault_it_is_the_store_below() {
        Claim held = granted("a", 1);

        assertThat(Answers.of(store.find("a"))).isPresent();
        assertThat(Answers.of(store.list("", 9))).hasSize(1);
        assertThat(Answers.of(renew(held))).isInstanceOf(Renewal.Renewed.class);
        assertThat(Answers.of(store.release(release(held)))).isTrue();
        assertThat(store.canonicalName("a")).isEqualTo("a");
        assertThat(store.shortestTtl()).isZero();
        assertThat(store.wakeups().isLive()).isTrue();
    }

    @Test
    void the_example_of_the_javadoc_fails_the_second_renewal() {
        ManualTimeline time = new ManualTimeline();

        // tag::javadoc
        FaultyStore store = FaultyStore.over(MemoryLeaseStore.on(time));
        store.faults().next(Verb.RENEW, Fault.none(), Fault.fail(StoreException.passing("connection reset")));
        // end::javadoc

        Claim asked = request("a", 1).claim();
        Acquisition answer = Answers.of(store.acquire(request("a", 1)));
        List<RenewRequest> renewal = List.of(renewal(asked.withToken(((Acquisition.Granted) answer).token())));
        assertThat(Answers.of(store.renew(renewal).get(0))).isInstanceOf(Renewal.Renewed.class);
        assertThat(Answers.failureOf(store.renew(renewal).get(0))).hasMessage("connection reset");
    }

    @Test
    void a_failed_call_never_reached_the_store() {
        faults.nextTimes(2, Verb.ACQUIRE, Fault.fail(RESET));

        assertThat(Answers.failureOf(store.acquire(request("a", 1)))).isSameAs(RESET);
        assertThat(Answers.failureOf(store.acquire(request("a", 2)))).isSameAs(RESET);

        assertThat(Answers.of(target.find("a"))).isEmpty();
        assertThat(Answers.of(store.acquire(request("a", 3)))).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void a_call_that_fails_afterwards_was_carried_out() {
        faults.next(Verb.ACQUIRE, Fault.failAfterwards(RESET));

        assertThat(Answers.failureOf(store.acquire(request("a", 1)))).isSameAs(RESET);

        assertThat(attempt("a")).isEqualTo(1);
    }

    @Test
    void a_dropped_request_is_neither_carried_out_nor_answered() {
        faults.next(Verb.ACQUIRE, Fault.dropRequest());

        assertThat(future(store.acquire(request("a", 1)))).isNotDone();

        assertThat(Answers.of(target.find("a"))).isEmpty();
    }

    @Test
    void a_dropped_answer_leaves_the_request_carried_out() {
        faults.next(Verb.ACQUIRE, Fault.dropAnswer());

        assertThat(future(store.acquire(request("a", 1)))).isNotDone();

        assertThat(attempt("a")).isEqualTo(1);
        assertThat(faults.underWay()).isZero();
    }

    @Test
    void a_held_request_is_carried_out_and_answered_when_it_is_delivered() {
        faults.next(Verb.ACQUIRE, Fault.holdRequest());
        CompletableFuture<Acquisition> answer = future(store.acquire(request("a", 1)));
        assertThat(Answers.of(target.find("a"))).isEmpty();

        faults.deliverOldest();

        assertThat(attempt("a")).isEqualTo(1);
        assertThat(Answers.of(answer)).isInstanceOf(Acquisition.Granted.class);
        assertThat(faults.underWay()).isZero();
    }

    @Test
    void a_held_request_arrives_even_when_its_caller_has_given_up() {
        faults.next(Verb.ACQUIRE, Fault.holdRequest());
        future(store.acquire(request("a", 1))).cancel(true);

        faults.deliverOldest();

        assertThat(attempt("a")).isEqualTo(1);
    }

    @Test
    void a_held_answer_arrives_when_it_is_delivered_though_all_was_done_before() {
        faults.next(Verb.ACQUIRE, Fault.holdAnswer());
        CompletableFuture<Acquisition> answer = future(store.acquire(request("a", 1)));
        assertThat(attempt("a")).isEqualTo(1);
        assertThat(answer).isNotDone();

        faults.deliverAll();

        assertThat(Answers.of(answer)).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void a_duplicate_arrives_a_second_time() {
        faults.next(Verb.ACQUIRE, Fault.duplicate());
        Acquisition answer = Answers.of(store.acquire(request("a", 1)));
        Claim claim = request("a", 1).claim().withToken(((Acquisition.Granted) answer).token());
        Answers.of(store.release(release(claim)));

        faults.deliverOldest();

        assertThat(attempt("a")).isEqualTo(1);
    }

    @Test
    void requests_overtake_each_other_when_the_newest_is_delivered_first() {
        faults.next(Verb.ACQUIRE, Fault.holdRequest(), Fault.holdRequest());
        CompletableFuture<Acquisition> first = future(store.acquire(request("a", 1)));
        CompletableFuture<Acquisition> second = future(store.acquire(request("a", 2)));

        faults.deliverNewest();
        faults.deliverNewest();

        assertThat(Answers.of(second)).isInstanceOf(Acquisition.Granted.class);
        assertThat(Answers.of(first)).isInstanceOf(Acquisition.Denied.class);
    }

    @Test
    void delivering_what_is_not_there_is_a_mistake_of_the_test() {
        assertThatIllegalStateException().isThrownBy(faults::deliverOldest);
        assertThatIllegalStateException().isThrownBy(faults::deliverNewest);
    }

    @Test
    void a_failure_of_the_store_below_passes_through_a_held_answer() {
        faults.next(Verb.FIND, Fault.holdAnswer());
        target.close();
        CompletableFuture<?> answer = future(store.find("a"));

        faults.deliverAll();

        assertThat(Answers.failureOf(answer)).hasMessageContaining("closed");
    }

    @Test
    void faults_are_given_out_in_order_and_to_their_verb_only() {
        faults.next(Verb.FIND, Fault.none(), Fault.fail(RESET)).next(Verb.LIST, Fault.fail(RESET));

        assertThat(Answers.of(store.find("a"))).isEmpty();
        assertThat(Answers.failureOf(store.find("a"))).isSameAs(RESET);
        assertThat(Answers.of(store.find("a"))).isEmpty();
        assertThat(Answers.failureOf(store.list("", 1))).isSameAs(RESET);
    }

    @Test
    void a_standing_fault_stays_until_it_is_healed() {
        faults.always(Verb.FIND, Fault.fail(RESET)).next(Verb.FIND, Fault.none());

        assertThat(Answers.of(store.find("a"))).isEmpty();
        assertThat(Answers.failureOf(store.find("a"))).isSameAs(RESET);
        assertThat(Answers.failureOf(store.find("a"))).isSameAs(RESET);
        faults.heal();
        assertThat(Answers.of(store.find("a"))).isEmpty();
    }

    @Test
    void a_batch_of_renewals_shares_one_fate() {
        Claim a = granted("a", 1);
        Claim b = granted("b", 1);
        faults.next(Verb.RENEW, Fault.fail(RESET));

        List<CompletionStage<Renewal>> answers = store.renew(List.of(renewal(a), renewal(b)));

        assertThat(answers)
                .hasSize(2)
                .allSatisfy(answer -> assertThat(Answers.failureOf(answer)).isSameAs(RESET));
    }

    @Test
    void calls_are_recorded_whatever_becomes_of_them() {
        LeaseRequest request = request("a", 1);
        LeaseRecord seen = LeaseRecord.of("a", "h", "i", 1, 1, TTL);
        faults.next(Verb.ACQUIRE, Fault.dropRequest());
        store.acquire(request);
        store.renew(List.of(renewal(request.claim())));
        store.release(release(request.claim()));
        store.find("a");
        store.list("b", 3);
        store.evict(seen);

        assertThat(faults.calls())
                .containsExactly(
                        new Call.Acquire(request),
                        new Call.Renew(List.of(renewal(request.claim()))),
                        new Call.Release(release(request.claim())),
                        new Call.Find("a"),
                        new Call.Listing("b", 3),
                        new Call.Evict(seen));
        for (Verb verb : Verb.values()) {
            assertThat(faults.count(verb)).as("%s", verb).isOne();
        }
    }

    @Test
    void answers_are_counted_one_for_each_request_and_only_those_that_come() {
        Claim a = granted("a", 1);
        Claim b = granted("b", 1);
        faults.next(Verb.RENEW, Fault.fail(RESET), Fault.dropAnswer(), Fault.holdAnswer());
        for (int i = 0; i < 3; i++) {
            store.renew(List.of(renewal(a), renewal(b)));
        }

        assertThat(faults.answered(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(faults.answered(Verb.RENEW)).isEqualTo(2);
        faults.deliverAll();
        assertThat(faults.answered(Verb.RENEW)).isEqualTo(4);
        assertThat(faults.answered(Verb.RELEASE)).isZero();
    }

    @Test
    void pushes_are_lost_while_the_store_believes_in_them() {
        Claim held = granted("a", 1);
        WakeProbe probe = new WakeProbe();
        waiting("a", probe);
        faults.losePushes();

        Answers.of(target.release(release(held)));

        assertThat(probe.hasMore()).isFalse();
        assertThat(store.wakeups().isLive()).isTrue();
    }

    @Test
    void a_broken_push_is_known_to_be_broken_and_tells_everybody_to_look_when_it_is_healed() {
        Claim held = granted("a", 1);
        WakeProbe probe = new WakeProbe();
        waiting("a", probe);
        faults.breakPushes();
        Answers.of(target.release(release(held)));
        assertThat(probe.hasMore()).isFalse();
        assertThat(store.wakeups().isLive()).isFalse();

        faults.heal();

        assertThat(probe.next()).isZero();
        assertThat(store.wakeups().isLive()).isTrue();
    }

    @Test
    void a_push_can_be_invented_for_those_who_still_wait() {
        granted("a", 1);
        WakeProbe probe = new WakeProbe();
        WakeProbe gone = new WakeProbe();
        waiting("a", probe);
        waiting("a", gone).close();
        waiting("a", gone).served();

        faults.wake("a", Duration.ofMillis(3));
        faults.wake("b", Duration.ZERO);

        assertThat(probe.next()).isEqualTo(Duration.ofMillis(3));
        assertThat(probe.hasMore()).isFalse();
        assertThat(gone.hasMore()).isFalse();
    }

    private Claim granted(String name, long attempt) {
        LeaseRequest request = request(name, attempt);
        return request.claim().withToken(((Acquisition.Granted) Answers.of(store.acquire(request))).token());
    }

    private Wakeups.Registration waiting(String name, WakeProbe probe) {
        Wakeups.Registration registration = store.wakeups().await(name, "waiter", probe);
        Claim claim = new Claim(name, "waiter", "waiter", 1, 0);
        Answers.of(store.acquire(new LeaseRequest(claim, LeaseKind.LOCK, TTL, 0, Takeover.NONE, TTL)));
        return registration;
    }

    private long attempt(String name) {
        return Answers.of(target.find(name)).orElseThrow().attempt();
    }

    private CompletionStage<Renewal> renew(Claim claim) {
        return store.renew(List.of(renewal(claim))).get(0);
    }

    private static RenewRequest renewal(Claim claim) {
        return new RenewRequest(claim, LeaseKind.LOCK, TTL);
    }

    private static ReleaseRequest release(Claim claim) {
        return new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN);
    }

    private static LeaseRequest request(String name, long attempt) {
        return new LeaseRequest(
                new Claim(name, "holder", "inc", attempt, 0), LeaseKind.LOCK, TTL, 0, Takeover.NONE, Duration.ZERO);
    }

    private static <T> CompletableFuture<T> future(CompletionStage<T> stage) {
        return stage.toCompletableFuture();
    }
}
