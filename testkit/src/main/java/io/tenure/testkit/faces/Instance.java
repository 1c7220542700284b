package io.tenure.testkit.faces;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.spi.ReleaseRequest;
import io.tenure.testkit.Call;
import io.tenure.testkit.Fault;
import io.tenure.testkit.Faults;
import io.tenure.testkit.FaultyStore;
import io.tenure.testkit.Verb;
import java.util.List;

/** One process of a law: a Tenure, its connection and its events. */
final class Instance {
    final Faults wire;
    private final FaultyStore store;
    final Seen seen;
    final Tenure tenure;

    Instance(FaultyStore store, Seen seen, Tenure tenure) {
        this.store = store;
        this.wire = store.faults();
        this.seen = seen;
        this.tenure = tenure;
    }

    Elector elector(String name, ElectorOptions.Builder options) {
        return tenure.elector(name, options.build());
    }

    LeaseLock lock(String name, LockOptions.Builder options) {
        return tenure.lock(name, options.build());
    }

    /** Its process dies, or its network: nothing reaches the store any more, and nothing is answered. */
    void crash() {
        for (Verb verb : Verb.values()) {
            wire.always(verb, Fault.dropRequest());
        }
        wire.losePushes();
    }

    /** Whether it has been denied something, or more, and would be told of a release. */
    boolean isWaiting() {
        return wire.answered(Verb.ACQUIRE) > 0 && store.wakeups().isLive();
    }

    /** How many of its acquisitions have asked the store, each perhaps more than once. */
    long askers() {
        return wire.calls().stream()
                .filter(Call.Acquire.class::isInstance)
                .map(call -> ((Call.Acquire) call).request().claim().holder())
                .distinct()
                .count();
    }

    /** The releases that it has sent. */
    List<ReleaseRequest> releases() {
        return wire.calls().stream()
                .filter(Call.Release.class::isInstance)
                .map(call -> ((Call.Release) call).request())
                .toList();
    }
}
