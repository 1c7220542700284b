package io.tenure.internal;

import io.tenure.LeaseRecord;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Wakeups;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hands everything on, and keeps what was asked for. */
final class RecordingStore implements LeaseStore {
    final List<LeaseRequest> acquires = new CopyOnWriteArrayList<>();
    final List<List<RenewRequest>> batches = new CopyOnWriteArrayList<>();
    final List<ReleaseRequest> releases = new CopyOnWriteArrayList<>();
    private final LeaseStore store;

    RecordingStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public String canonicalName(String name) {
        return store.canonicalName(name);
    }

    @Override
    public void listen(StoreListener listener) {
        store.listen(listener);
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        acquires.add(request);
        return store.acquire(request);
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        batches.add(requests);
        return store.renew(requests);
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        releases.add(request);
        return store.release(request);
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> find(String name) {
        return store.find(name);
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list(String prefix, int limit) {
        return store.list(prefix, limit);
    }

    @Override
    public CompletionStage<Boolean> evict(LeaseRecord seen) {
        return store.evict(seen);
    }

    @Override
    public Wakeups wakeups() {
        return store.wakeups();
    }

    @Override
    public void close() {
        store.close();
    }
}
