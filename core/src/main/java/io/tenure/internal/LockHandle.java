package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.StoreException;
import io.tenure.TenureException;
import io.tenure.internal.machine.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A lock that was acquired, as its user sees it. */
final class LockHandle extends LeaseHandle implements HeldLock {
    private final AtomicReference<@Nullable CompletableFuture<Void>> release = new AtomicReference<>();
    private final AtomicReference<List<CompletableFuture<Void>>> refreshes = new AtomicReference<>(List.of());
    private volatile @Nullable Runnable onFinish;

    LockHandle(LiveLease lease, LeaseCell cell) {
        super(lease, cell);
    }

    /** Has {@code action} run when the lease is over; at once when it is. */
    void onFinish(Runnable action) {
        onFinish = action;
        if (lease.isOver()) {
            action.run();
        }
    }

    void finished() {
        Runnable action = onFinish;
        if (action != null) {
            action.run();
        }
    }

    @Override
    public void refresh() {
        Waits.uninterruptibly(startRefresh());
    }

    @Override
    public CompletionStage<Void> refreshAsync() {
        return elsewhere(startRefresh());
    }

    private CompletableFuture<Void> startRefresh() {
        if (!lease.isHeld()) {
            return CompletableFuture.failedFuture(lease.lost());
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        refreshes.updateAndGet(append(done));
        cell.post(new Signal.Refresh());
        return done;
    }

    private static UnaryOperator<List<CompletableFuture<Void>>> append(CompletableFuture<Void> done) {
        return before -> {
            List<CompletableFuture<Void>> all = new ArrayList<>(before);
            all.add(done);
            return all;
        };
    }

    /** Whoever asked for a refresh is served by the next one that was carried out. */
    void refreshed(@Nullable TenureException failure) {
        for (CompletableFuture<Void> waiting : refreshes.getAndSet(List.of())) {
            settle(waiting, failure);
        }
    }

    @Override
    public void release() {
        Waits.uninterruptibly(startRelease());
    }

    @Override
    public CompletionStage<Void> releaseAsync() {
        return elsewhere(startRelease(cell::post));
    }

    /** For a thread that waits for it. */
    CompletableFuture<Void> startRelease() {
        return startRelease(cell::postAndServe);
    }

    private CompletableFuture<Void> startRelease(Consumer<Signal> post) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        if (!lease.relinquish(EndReason.RELEASED) || !release.compareAndSet(null, mine)) {
            return CompletableFuture.failedFuture(lease.lost());
        }
        post.accept(new Signal.End(EndReason.RELEASED, lease.token()));
        return mine;
    }

    void released(@Nullable TenureException failure) {
        CompletableFuture<Void> waiting = release.get();
        if (waiting != null) {
            settle(waiting, failure);
        }
    }

    @Override
    public void close() {
        try {
            Waits.uninterruptibly(startRelease());
        } catch (io.tenure.LeaseLostException | StoreException e) {
            return; // told as an event, and to whoever asks ended(); closing is not the place to fail
        }
    }

    private static void settle(CompletableFuture<Void> future, @Nullable TenureException failure) {
        if (failure == null) {
            future.complete(null);
        } else {
            future.completeExceptionally(failure);
        }
    }

    /** The same outcome, completed on the callbacks executor: users' code never runs on the store's threads. */
    private CompletionStage<Void> elsewhere(CompletableFuture<Void> future) {
        CompletableFuture<Void> told = new CompletableFuture<>();
        future.whenCompleteAsync(
                (done, failure) -> {
                    if (failure == null) {
                        told.complete(null);
                    } else {
                        told.completeExceptionally(Failures.unwrapped(failure));
                    }
                },
                cell::callBack);
        return told.minimalCompletionStage();
    }
}
