package io.tenure.testkit.faces;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.Following;
import io.tenure.TenureEvent.LeaseLost;
import io.tenure.TenureEvent.LockAcquired;
import io.tenure.TenureEvent.LockReleased;
import io.tenure.TenureEvent.SteppedDown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The laws of what observers are told, and in which order. */
public abstract class EventLaws extends FaceLaws {
    /** For subclasses. */
    protected EventLaws() {}

    @Test
    void law12_every_instance_tells_of_its_role_in_the_order_following_elected_stepped_down() {
        String role = name();
        List<Instance> instances = new ArrayList<>();
        List<Elector> electors = new ArrayList<>();
        List<Candidacy> candidacies = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Instance instance = instance();
            Elector elector = instance.elector(role, election());
            instances.add(instance);
            electors.add(elector);
            candidacies.add(elector.campaign());
        }
        for (int i = 0; i < 12; i++) {
            within(ttl(), "somebody leads", () -> electors.stream().anyMatch(Elector::isLeader));
            electors.forEach(Elector::resign);
        }
        Deed.of(() -> {
                    candidacies.forEach(Candidacy::close);
                    return null;
                })
                .result();

        for (Instance instance : instances) {
            List<String> order = instance.seen.order(List.of(Following.class, Elected.class, SteppedDown.class));
            assertThat(String.join(" ", order) + " ").matches("((Following )?(Elected SteppedDown )?)*");
            assertThat(order).contains("Elected");
            assertThat(tokens(instance, Elected.class)).isSorted().isEqualTo(tokens(instance, SteppedDown.class));
        }
    }

    private static List<Long> tokens(Instance instance, Class<? extends TenureEvent> kind) {
        return instance.seen.of(kind).stream()
                .map(event -> event instanceof Elected elected ? elected.token() : ((SteppedDown) event).token())
                .toList();
    }

    @Test
    void law12_elected_is_told_before_the_work_and_stepped_down_after_it() {
        List<String> order = new java.util.concurrent.CopyOnWriteArrayList<>();
        AtomicInteger terms = new AtomicInteger();
        Instance instance = instance(
                builder -> builder.observer(event -> order.add(event.getClass().getSimpleName())));
        Elector elector = instance.elector(name(), election());

        elector.campaign(term -> {
            if (terms.incrementAndGet() == 1) {
                term.ended().toCompletableFuture();
                order.add("work begins");
                order.add("work ends");
            } else {
                new java.util.concurrent.CountDownLatch(1).await();
            }
        });
        soon("the end is told", () -> order.contains("SteppedDown"));

        assertThat(order.indexOf("SteppedDown")).isGreaterThan(order.indexOf("work ends"));
        assertThat(order).contains("Elected").doesNotContain("WorkFailed");
    }

    @Test
    void the_last_event_has_been_delivered_when_close_returns_and_none_comes_after_it() {
        Instance instance = instance();
        String role = name();
        Elector elector = instance.elector(role, election());
        Candidacy candidacy = elector.campaign(new Leading());
        soon("leads", elector::isLeader);

        Deed.of(() -> {
                    candidacy.close();
                    return null;
                })
                .result();
        assertThat(instance.seen.has(SteppedDown.class))
                .as("when the candidacy is closed")
                .isTrue();
        HeldLock held = instance.lock(name(), locking().renewed()).tryAcquire().orElseThrow();
        Deed.of(() -> {
                    instance.tenure.close();
                    return null;
                })
                .result();
        assertThat(instance.seen.of(LockReleased.class))
                .as("when the Tenure is closed")
                .hasSize(1);
        int told = instance.seen.all().size();
        held.close();
        elapse(ttl());

        assertThat(instance.seen.all()).hasSize(told);
    }

    @Test
    void the_events_of_a_lock_are_acquired_and_then_either_released_or_lost() {
        Instance instance = instance();
        String name = name();
        LeaseLock lock = instance.lock(name, locking().signalOnly());
        for (int i = 0; i < 3; i++) {
            lock.run(held -> {});
        }
        HeldLock lost = lock.tryAcquire().orElseThrow();
        evict(name);
        lost.close();

        soon("all are told", () -> instance.seen.all().size() >= 8);
        assertThat(instance.seen.order(List.of(LockAcquired.class, LockReleased.class, LeaseLost.class)))
                .containsExactly(
                        "LockAcquired",
                        "LockReleased",
                        "LockAcquired",
                        "LockReleased",
                        "LockAcquired",
                        "LockReleased",
                        "LockAcquired",
                        "LeaseLost");
        assertThat(instance.seen.of(LockAcquired.class))
                .allMatch(event -> event.name().equals(lost.name()));
    }

    @Test
    void an_observer_that_throws_costs_no_event_of_its_own_or_of_another_observer_and_no_lease() {
        List<Throwable> uncaught = expectUncaughtFailures();
        AtomicInteger calls = new AtomicInteger();
        Instance instance = instance(builder -> builder.observer(event -> {
            calls.incrementAndGet();
            throw calls.get() % 2 == 0
                    ? new IllegalStateException("bad observer")
                    : new RuntimeException("worse observer");
        }));
        LeaseLock lock = instance.lock(name(), locking());

        for (int i = 0; i < 5; i++) {
            lock.run(held -> assertThat(held.isHeld()).isTrue());
        }

        soon(
                "all are delivered to both",
                () -> calls.get() == 10 && instance.seen.all().size() == 10);
        soon("its thread's handler hears of each", () -> uncaught.size() == 10);
    }

    @Test
    void an_observer_may_use_the_leases_that_it_is_told_about() {
        String role = name();
        String other = name();
        List<Boolean> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
        java.util.concurrent.atomic.AtomicReference<Instance> self =
                new java.util.concurrent.atomic.AtomicReference<>();
        Instance instance = instance(builder -> builder.observer(event -> {
            if (event instanceof Elected) {
                seen.add(requireNonNull(self.get()).lock(other, locking()).runIfFree(held -> {}));
            }
        }));
        self.set(instance);
        Elector elector = instance.elector(role, election());

        elector.campaign();

        soon("the observer's lock was had", () -> seen.equals(List.of(true)));
        soon("leads", elector::isLeader);
    }
}
