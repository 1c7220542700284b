package io.tenure.jdbc;

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
import java.util.concurrent.Executor;

/** A store that takes leases of every ttl, for laws that know of no shortest one, over a server that does not hang. */
record AnyTtl(LeaseStore store) implements LeaseStore {
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
        return store.acquire(request);
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request, Executor waiting) {
        return store.acquire(request, waiting);
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        return store.renew(requests);
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        return store.release(request);
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request, Executor waiting) {
        return store.release(request, waiting);
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
