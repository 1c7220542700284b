package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.HeldLock;
import io.tenure.StoreException;
import io.tenure.TenureEvent.LockReleased;
import io.tenure.TenureEvent.ReleaseFailed;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The laws of releases that meet a store in passing trouble, such as a connection that breaks under them. */
class FaultyReleaseLawsTest extends FaceLaws {
    private static final StoreException TROUBLE = StoreException.passing("connection reset");

    @Override
    protected Stage openStage() {
        return new HandMovedStage();
    }

    @Test
    void law18_a_release_that_met_a_broken_connection_is_sent_again_and_frees_the_name() {
        Instance instance = instance();
        String name = name();
        HeldLock held = instance.lock(name, locking()).tryAcquire().orElseThrow();
        instance.wire.next(Verb.RELEASE, Fault.fail(TROUBLE), Fault.fail(TROUBLE));

        CompletableFuture<Void> release = held.releaseAsync().toCompletableFuture();
        assertThat(found(name)).isPresent();
        elapse(Duration.ofMillis(150));

        assertThat(release).isCompleted();
        assertThat(found(name)).isEmpty();
        assertThat(instance.seen.has(ReleaseFailed.class)).isFalse();
        assertThat(instance.seen.of(LockReleased.class)).hasSize(1);
    }

    @Test
    void law18_a_term_whose_release_met_a_broken_connection_is_succeeded_at_once() {
        Instance instance = instance();
        String role = name();
        Candidacy candidacy = instance.elector(role, election()).campaign();
        Elector successor = instance().elector(role, election());
        successor.campaign();
        instance.wire.next(Verb.RELEASE, Fault.fail(TROUBLE));

        Deed<Void> closing = Deed.of(() -> {
            candidacy.close();
            return null;
        });
        soon("has tried", () -> instance.wire.count(Verb.RELEASE) == 1);
        within(Duration.ofMillis(100), "is succeeded", successor::isLeader);

        closing.result();
        assertThat(instance.seen.has(ReleaseFailed.class)).isFalse();
    }

    @Test
    void law03_a_release_that_is_not_ours_any_more_after_one_without_an_answer_is_a_success() {
        Instance instance = instance();
        HeldLock held = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        instance.wire.next(Verb.RELEASE, Fault.failAfterwards(TROUBLE));

        CompletableFuture<Void> release = held.releaseAsync().toCompletableFuture();
        elapse(Duration.ofMillis(50));

        assertThat(release).isCompleted();
        assertThat(instance.wire.count(Verb.RELEASE)).isEqualTo(2);
        assertThat(instance.seen.of(LockReleased.class)).hasSize(1);
    }

    @Test
    void law23_a_release_in_an_outage_backs_off_and_is_given_up_within_its_bound_with_the_last_failure() {
        Instance instance = instance();
        HeldLock held = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        instance.wire.always(Verb.RELEASE, Fault.fail(TROUBLE));

        CompletableFuture<Void> release = held.releaseAsync().toCompletableFuture();
        elapse(Duration.ofMillis(749));
        assertThat(instance.wire.count(Verb.RELEASE))
                .as("at 0, 50, 150, 350 ms")
                .isEqualTo(4);
        assertThat(release).isNotDone();
        elapse(Duration.ofMillis(1_251));

        assertThatThrownBy(release::join).hasCause(TROUBLE);
        assertThat(instance.seen.of(ReleaseFailed.class))
                .singleElement()
                .satisfies(told -> assertThat(told.cause()).isSameAs(TROUBLE));
        instance.wire.heal();
        elapse(ttl());
        assertThat(instance.wire.count(Verb.RELEASE)).as("and at 750, 1550 ms").isEqualTo(6);
    }

    @Test
    void law18_after_a_release_that_was_given_up_unanswered_nothing_leaves_the_process() {
        Instance instance = instance();
        HeldLock held = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        instance.wire.next(Verb.RELEASE, Fault.fail(TROUBLE), Fault.holdRequest());
        CompletableFuture<Void> release = held.releaseAsync().toCompletableFuture();
        elapse(Duration.ofSeconds(2));
        assertThat(release).isCompletedExceptionally();

        elapse(ttl());

        assertThat(instance.wire.count(Verb.RELEASE)).isEqualTo(2);
    }

    @Test
    void law18_a_release_that_the_store_refuses_for_good_is_not_sent_again() {
        Instance instance = instance();
        HeldLock held = instance.lock(name(), locking()).tryAcquire().orElseThrow();
        instance.wire.next(Verb.RELEASE, Fault.fail(StoreException.permanent("may not delete")));

        CompletableFuture<Void> release = held.releaseAsync().toCompletableFuture();
        assertThat(release).isCompletedExceptionally();
        elapse(ttl());

        assertThat(instance.wire.count(Verb.RELEASE)).isEqualTo(1);
    }

    @Test
    void law17_the_release_of_an_attempt_that_was_given_up_is_sent_again_too() {
        Instance instance = instance();
        String name = name();
        instance.wire
                .next(Verb.ACQUIRE, Fault.dropAnswer())
                .next(Verb.RELEASE, Fault.fail(TROUBLE), Fault.fail(TROUBLE));
        CompletableFuture<?> attempt = instance.lock(name, locking())
                .tryAcquireAsync(Duration.ofSeconds(5))
                .toCompletableFuture();
        assertThat(found(name)).as("granted, which nobody here knows").isPresent();
        attempt.cancel(true);
        assertThat(instance.wire.count(Verb.RELEASE)).isEqualTo(1);

        elapse(Duration.ofMillis(150));

        assertThat(found(name)).isEmpty();
        assertThat(instance.seen.has(ReleaseFailed.class)).isFalse();
    }
}
