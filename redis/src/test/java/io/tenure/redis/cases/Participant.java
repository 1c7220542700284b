package io.tenure.redis.cases;

import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.testkit.Faults;
import io.tenure.testkit.FaultyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** One that takes part in a case, with a connection, a {@code Tenure} and a script of faults of its own. */
final class Participant {
    final RedisLeaseStore store;
    /** What becomes of this member's calls, and which it has made. */
    final Faults wire;

    final Tenure tenure;
    private final List<TenureEvent> events = new CopyOnWriteArrayList<>();

    Participant(RedisLeaseStore store, UnaryOperator<Tenure.Builder> how) {
        this.store = store;
        FaultyStore faulty = FaultyStore.over(store);
        this.wire = faulty.faults();
        this.tenure = how.apply(Tenure.over(faulty)).observer(events::add).open();
    }

    List<TenureEvent> events() {
        return List.copyOf(events);
    }

    <E extends TenureEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
