package io.tenure.redis.cases;

import io.tenure.LeaseRecord;
import io.tenure.spi.Acquisition;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that remembers when the request was sent that last extended a lease. For members with one lease. */
final class SendLog implements LeaseStore {
    private final LeaseStore store;
    private final AtomicInteger renewals = new AtomicInteger();
    private volatile long lastGood;
    private volatile long lastAcquire;

    SendLog(LeaseStore store) {
        this.store = store;
    }

    /** When the last request was sent that was granted, by {@link System#nanoTime()}; read just after the kernel did. */
    long lastGood() {
        return lastGood;
    }

    /** When the last attempt was sent, whatever became of it. */
    long lastAcquire() {
        return lastAcquire;
    }

    /** How many renewals have been answered with yes. */
    int renewals() {
        return renewals.get();
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        long sentAt = System.nanoTime();
        lastAcquire = sentAt;
        return store.acquire(request).whenComplete((answer, failure) -> {
            if (answer instanceof Acquisition.Granted) {
                lastGood = sentAt;
            }
        });
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        long sentAt = System.nanoTime();
        return store.renew(requests).stream()
                .map(stage -> stage.whenComplete((answer, failure) -> {
                    if (answer instanceof Renewal.Renewed) {
                        lastGood = sentAt;
                        renewals.incrementAndGet();
                    }
                }))
                .toList();
    }

    @Override
    public String canonicalName(String name) {
        return store.canonicalName(name);
    }

    @Override
    public Duration shortestTtl() {
        return store.shortestTtl();
    }

    @Override
    public void listen(StoreListener listener) {
        store.listen(listener);
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
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
