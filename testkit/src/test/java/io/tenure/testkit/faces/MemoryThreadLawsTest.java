package io.tenure.testkit.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.TenureEvent.EventsDropped;
import io.tenure.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MemoryThreadLawsTest extends ThreadLaws {
    @Override
    protected Stage openStage() {
        return new RealTimeStage(MemoryLeaseStore.create()::peer, Duration.ofSeconds(3));
    }

    /** Here only, for its ten thousand calls: the store has no part in it. */
    @Test
    void an_observer_that_is_slow_loses_the_oldest_events_and_costs_no_lease_and_no_other_observer() {
        CountDownLatch go = new CountDownLatch(1);
        Seen slow = new Seen();
        Instance instance = instance(builder -> builder.observer(event -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            slow.onEvent(event);
        }));
        // long leases, since one that a busy machine endangers or costs would bring events of its own
        Elector elector = instance.elector(name(), ElectorOptions.ofTtl(Duration.ofMinutes(1)));
        elector.campaign();
        soon("leads", elector::isLeader);
        LeaseLock lock = instance.lock(name(), LockOptions.ofTtl(Duration.ofMinutes(1)));
        for (int i = 1; i <= 5_000; i++) {
            lock.run(held -> {});
            if (i % 1_000 == 0) { // what is not slow must not fall behind by a whole queue either
                int told = 1 + 2 * i;
                soon(
                        "the other observer has got everything",
                        () -> instance.seen.all().size() == told);
            }
        }

        assertThat(elector.isLeader()).isTrue();
        assertThat(slow.all()).isEmpty();
        go.countDown();
        soon(
                "the slow one is told what it missed",
                () -> slow.has(EventsDropped.class)
                        && slow.of(EventsDropped.class).get(0).count()
                                        + slow.all().size()
                                        - 1
                                == 10_001);
    }
}
