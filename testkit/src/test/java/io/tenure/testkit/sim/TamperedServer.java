package io.tenure.testkit.sim;

import io.tenure.LeaseRecord;
import io.tenure.Timeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The store in memory with one of its verbs, or its fence, broken on purpose. */
class TamperedServer implements SimulatedServer, LeaseStore {
    final MemoryLeaseStore store;
    private final MemorySimulatedServer sound;

    TamperedServer(Conditions conditions, Timeline clock) {
        store = MemoryLeaseStore.builder()
                .timeline(clock)
                .tokens(conditions.tokens())
                .open();
        sound = new MemorySimulatedServer(store);
    }

    /** What the sound store answers. */
    static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    Optional<LeaseRecord> holder(String name) {
        return now(store.find(name));
    }

    static Claim claimOf(LeaseRecord record) {
        return new Claim(record.name(), record.holder(), record.incarnation(), record.attempt(), record.token());
    }

    Acquisition acquired(LeaseRequest request) {
        return now(store.acquire(request));
    }

    Renewal renewed(RenewRequest request) {
        return now(store.renew(List.of(request)).get(0));
    }

    boolean released(ReleaseRequest request) {
        return now(store.release(request));
    }

    @Override
    public final CompletionStage<Acquisition> acquire(LeaseRequest request) {
        return CompletableFuture.completedFuture(acquired(request));
    }

    @Override
    public final List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        return requests.stream()
                .<CompletionStage<Renewal>>map(request -> CompletableFuture.completedFuture(renewed(request)))
                .toList();
    }

    @Override
    public final CompletionStage<Boolean> release(ReleaseRequest request) {
        return CompletableFuture.completedFuture(released(request));
    }

    @Override
    public CompletionStage<Boolean> evict(LeaseRecord seen) {
        return store.evict(seen);
    }

    @Override
    public final CompletionStage<Optional<LeaseRecord>> find(String name) {
        return store.find(name);
    }

    @Override
    public final CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
        return store.list(prefix, limit);
    }

    @Override
    public final void close() {}

    @Override
    public final LeaseStore requests() {
        return this;
    }

    @Override
    public final LeaseStore connection() {
        return sound.connection();
    }

    @Override
    public void write(String name, long token) {
        sound.write(name, token);
    }

    @Override
    public final void loseEverything() {
        sound.loseEverything();
    }

    @Override
    public final void loseCounter(String name) {
        sound.loseCounter(name);
    }

    @Override
    public final void loseMark(String name) {
        sound.loseMark(name);
    }
}
