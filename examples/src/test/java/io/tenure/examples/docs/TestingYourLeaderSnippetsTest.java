package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaderWork;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.Term;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryFence;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.testkit.Fault;
import io.tenure.testkit.FaultyStore;
import io.tenure.testkit.HandTerm;
import io.tenure.testkit.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** The code of docs/testing-your-leader.md. */
class TestingYourLeaderSnippetsTest {
    // tag::work
    /** What the application does while it leads: pages of an import, each written under the term's token. */
    record Importer(LongConsumer importPage) implements LeaderWork {
        @Override
        public void lead(Term term) {
            while (term.isHeld()) {
                importPage.accept(term.token());
            }
        }
    }
    // end::work

    // tag::hand-term
    @Test
    void the_import_stops_with_its_term() {
        HandTerm term = HandTerm.held("importer", 41);
        List<Long> tokens = new ArrayList<>();
        Importer importer = new Importer(token -> {
            tokens.add(token);
            if (tokens.size() == 3) {
                term.lose(EndReason.TAKEN);
            }
        });

        importer.lead(term);

        assertThat(tokens).containsExactly(41L, 41L, 41L);
    }
    // end::hand-term

    // tag::takeover
    @Test
    void the_second_instance_leads_when_the_first_is_cut_off() {
        ManualTimeline time = new ManualTimeline();
        MemoryLeaseStore server = MemoryLeaseStore.on(time);
        FaultyStore cable = FaultyStore.over(server.peer());
        try (Tenure first = Tenure.over(cable).timeline(time).open();
                Tenure second = Tenure.over(server).timeline(time).open()) {
            Elector a = first.elector("importer");
            Elector b = second.elector("importer");
            a.campaign();
            b.campaign();
            long old = a.token().orElseThrow();

            cable.faults().always(Verb.RENEW, Fault.dropRequest()).always(Verb.ACQUIRE, Fault.dropRequest());
            time.advance(ElectorOptions.DEFAULT_TTL);
            assertThat(a.isLeader()).isFalse();

            time.advance(Duration.ofMillis(10));
            assertThat(b.token().orElseThrow()).isGreaterThan(old);
        }
    }
    // end::takeover

    // tag::suspended
    @Test
    void a_machine_that_was_suspended_believes_in_its_term_and_is_refused_by_the_fence() {
        ManualTimeline world = new ManualTimeline();
        ManualTimeline laptop = new ManualTimeline(); // stands still while the machine is suspended
        MemoryLeaseStore server = MemoryLeaseStore.on(world);
        MemoryFence fence = server.fence("importer");
        try (Tenure asleep = Tenure.over(server.peer()).timeline(laptop).open();
                Tenure awake = Tenure.over(server).timeline(world).open()) {
            Elector a = asleep.elector("importer");
            Elector b = awake.elector("importer");
            a.campaign();
            b.campaign();
            Term stale = a.term().orElseThrow();

            world.advance(ElectorOptions.DEFAULT_TTL.plusSeconds(1));

            assertThat(b.isLeader()).isTrue();
            assertThat(stale.isHeld()).isTrue(); // it cannot know: its clock has not moved
            assertThatThrownBy(() -> fence.run(stale.token(), () -> {})).isInstanceOf(StaleTokenException.class);

            laptop.advance(ElectorOptions.defaults().renewEvery()); // awake again: its next renewal tells it
            assertThat(stale.isHeld()).isFalse();
        }
    }
    // end::suspended

    // tag::in-memory
    @Test
    void the_second_caller_finds_the_lock_taken() {
        try (Tenure tenure = Tenure.inMemory()) {
            try (HeldLock held = tenure.lock("orders").tryAcquire().orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(tenure.lock("orders").tryAcquire()).isEmpty();
            }
            assertThat(tenure.lock("orders").tryAcquire()).isPresent();
        }
    }
    // end::in-memory

    // tag::renewal-fails
    @Test
    void one_failed_renewal_costs_an_event_and_no_lease() {
        ManualTimeline time = new ManualTimeline();
        FaultyStore store = FaultyStore.over(MemoryLeaseStore.on(time));
        List<TenureEvent> events = new ArrayList<>();
        LockOptions renewed =
                LockOptions.ofTtl(Duration.ofSeconds(30)).renewed().build();
        try (Tenure tenure =
                Tenure.over(store).timeline(time).observer(events::add).open()) {
            HeldLock held = tenure.lock("orders", renewed).tryAcquire().orElseThrow();
            store.faults().next(Verb.RENEW, Fault.fail(StoreException.passing("connection reset")));

            time.advance(Duration.ofMinutes(2));

            assertThat(held.isHeld()).isTrue();
            assertThat(events)
                    .filteredOn(TenureEvent.RenewalFailed.class::isInstance)
                    .hasSize(1);
        }
    }
    // end::renewal-fails
}
