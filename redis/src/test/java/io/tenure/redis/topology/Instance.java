package io.tenure.redis.topology;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.LeaseRecord;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
import io.tenure.redis.StoreClient;
import io.tenure.testkit.Faults;
import io.tenure.testkit.FaultyStore;
import io.tenure.testkit.Verb;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** One process of an application, as servers see it: with a client, a store and a {@code Tenure} of its own. */
final class Instance implements AutoCloseable {
    final RedisLeaseStore store;
    final Tenure tenure;
    private final StoreClient client;
    private final Faults calls;
    private final Map<String, Elector> electors = new ConcurrentHashMap<>();
    private final List<Seen> events = new CopyOnWriteArrayList<>();

    /** An event, and when it was told, by {@link System#nanoTime()}. */
    record Seen(long nanos, TenureEvent event) {}

    Instance(StoreClient client) {
        this.client = client;
        store = client.store(RedisStoreOptions.defaults());
        FaultyStore counted = FaultyStore.over(store);
        calls = counted.faults();
        tenure = Tenure.over(counted)
                .observer(event -> events.add(new Seen(System.nanoTime(), event)))
                .open();
    }

    Elector stand(String role, ElectorOptions options) {
        Elector elector = tenure.elector(role, options);
        electors.put(role, elector);
        elector.campaign();
        return elector;
    }

    boolean leads(String role) {
        return electors.get(role).isLeader();
    }

    long token(String role) {
        return electors.get(role).token().orElse(0);
    }

    /** The token of whom it takes for the leader; 0 when it knows of none. */
    long follows(String role) {
        return electors.get(role).leader().map(LeaseRecord::token).orElse(0L);
    }

    /** How often it has asked for leases, of whatever names. */
    long attempts() {
        return calls.count(Verb.ACQUIRE);
    }

    <E extends TenureEvent> List<Seen> seen(Class<E> kind) {
        return events.stream().filter(seen -> kind.isInstance(seen.event())).toList();
    }

    @Override
    public void close() {
        tenure.close();
        client.close();
    }
}
