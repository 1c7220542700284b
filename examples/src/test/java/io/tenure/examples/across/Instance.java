package io.tenure.examples.across;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.Fence;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One instance of an application: its leases here, its writes there. */
final class Instance implements AutoCloseable {
    static final Duration TTL = Duration.ofSeconds(2);

    /** Long enough for a claim that is waited for, and for classes that are loaded for the first one. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    final String role;
    final Fence fence;
    final Tenure tenure;
    private final Write write;
    private final Runnable end;
    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    interface Write {
        void to(long token, String value);
    }

    Instance(String role, LeaseStore leases, Fence fence, Write write, Runnable end) {
        this.role = role;
        this.fence = fence;
        this.write = write;
        this.end = end;
        tenure = Tenure.over(leases).observer(events::add).open();
    }

    /** One that claims the fence of the other system, and then {@code probes}. */
    Elector elector(Fence... probes) {
        return tenure.elector(
                role,
                ElectorOptions.ofTtl(TTL)
                        .drainTimeout(DRAIN)
                        .claims(fence)
                        .claims(probes)
                        .build());
    }

    /** Writes to the other system. */
    void write(long token, String value) {
        write.to(token, value);
    }

    List<TenureEvent> events() {
        return List.copyOf(events);
    }

    <E extends TenureEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Override
    public void close() {
        tenure.close();
        end.run();
    }
}
