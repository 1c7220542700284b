package io.tenure.examples.elsewhere;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.Fence;
import io.tenure.Tenure;
import io.tenure.Term;
import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import java.time.Duration;

/**
 * One leader after another: the first is suspended beyond its ttl, as a machine is whose clock stands still, so that it
 * goes on believing in its term. Each has a fence of its own over the same resource, as two processes have.
 */
final class Succession implements AutoCloseable {
    private static final Duration TTL = Duration.ofSeconds(5);

    private final ManualTimeline world = new ManualTimeline();
    private final ManualTimeline suspended = new ManualTimeline();
    private final MemoryLeaseStore leases = MemoryLeaseStore.on(world);
    private final Tenure first = Tenure.over(leases.peer()).timeline(suspended).open();
    private final Tenure second = Tenure.over(leases).timeline(world).open();

    /** Elects the first one; its fence is claimed. */
    Term elect(Fence fence) {
        return elected(first, fence);
    }

    /** Elects the second one; its fence is claimed, and nothing else was done. The first still believes in its term. */
    Term succeed(Fence fence) {
        world.advance(TTL.plusSeconds(1));
        return elected(second, fence);
    }

    private static Term elected(Tenure tenure, Fence fence) {
        // tag::claims
        ElectorOptions options = ElectorOptions.ofTtl(TTL).claims(fence).build();
        Elector elector = tenure.elector("importer", options);
        // end::claims
        elector.campaign();
        await().atMost(60, SECONDS).until(elector::isLeader);
        return elector.term().orElseThrow();
    }

    @Override
    public void close() {
        second.close();
        first.close();
    }
}
