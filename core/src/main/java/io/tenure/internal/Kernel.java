package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TenureObserver;
import io.tenure.Timeline;
import io.tenure.internal.machine.Signal;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What the leases of one {@code Tenure} share. */
public final class Kernel {
    private static final long LOOK_UP_SECONDS = 2;

    private final LeaseStore store;
    private final Timeline timeline;
    private final String holder;
    private final String incarnation;
    private final WorkThreads workThreads;
    private final Callbacks callbacks;
    private final Events events;
    private final RenewalBatch renewals;
    private final LocalLines lines;
    private final Set<LeaseCell> cells = ConcurrentHashMap.newKeySet();
    private final Set<CompletableFuture<?>> background = ConcurrentHashMap.newKeySet();
    private final AtomicLong locksMade = new AtomicLong();
    private final AtomicLong leasesBegun = new AtomicLong();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile @Nullable Thread closer;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** @param callbacks where {@code ended()} and asynchronous results complete */
    public Kernel(
            LeaseStore store,
            Timeline timeline,
            Identity identity,
            WorkThreads workThreads,
            Callbacks callbacks,
            List<TenureObserver> observers) {
        this.store = store;
        this.timeline = timeline;
        this.holder = identity.holder();
        this.incarnation = identity.incarnation();
        this.workThreads = workThreads;
        this.callbacks = callbacks;
        this.events = new Events(observers, timeline);
        this.renewals = new RenewalBatch(store, timeline);
        this.lines = new LocalLines(store.wakeups(), incarnation);
        store.listen(events);
    }

    LeaseStore store() {
        return store;
    }

    Timeline timeline() {
        return timeline;
    }

    String holder() {
        return holder;
    }

    String incarnation() {
        return incarnation;
    }

    WorkThreads workThreads() {
        return workThreads;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    Events events() {
        return events;
    }

    RenewalBatch renewals() {
        return renewals;
    }

    LocalLines lines() {
        return lines;
    }

    /** A holder id for one acquisition of a lock. */
    String lockHolder() {
        return holder + "~" + Long.toString(locksMade.incrementAndGet(), 36);
    }

    /** Numbers the leases, so that what is done to all of them is done in one order, whatever their addresses are. */
    long nextNumber() {
        return leasesBegun.getAndIncrement();
    }

    /** How many leases are held, sought or being released. */
    public int size() {
        return cells.size();
    }

    /** How many names are waited for. */
    public int waitedFor() {
        return lines.size();
    }

    /** Registers a lease before anything is sent for it. */
    void register(LeaseCell cell) {
        cells.add(cell);
        if (closing.get() && cells.remove(cell)) {
            throw closedAlready();
        }
    }

    /**
     * Makes sure that this is open.
     *
     * @throws IllegalStateException when this is closed
     */
    public void requireOpen() {
        if (closing.get()) {
            throw closedAlready();
        }
    }

    private static IllegalStateException closedAlready() {
        return new IllegalStateException("This Tenure is closed: open another one for further leases");
    }

    void forget(LeaseCell cell) {
        cells.remove(cell);
        checkIdle();
    }

    /** Sends a release whose answer nobody waits for, within {@code span} nanoseconds; closing waits for it. */
    @SuppressWarnings({"CollectionUndefinedEquality", "UndefinedEquals"}) // one future equals itself, and that is meant
    void inBackground(ReleaseRequest request, long span) {
        CompletableFuture<Boolean> release = Releasing.send(store, timeline, request, span);
        background.add(release);
        Timeline.Timer timer = timeline.schedule(timeline.nanos() + span, 0, () -> {
            release.cancel(true);
            background.remove(release);
            checkIdle();
        });
        release.whenComplete((ours, failure) -> {
            timer.cancel();
            background.remove(release);
            if (failure != null) {
                String name = request.claim().name();
                StoreException cause =
                        release.isCancelled() ? unansweredRelease(name, span) : Failures.ofStore(name, failure);
                events.tell(new TenureEvent.ReleaseFailed(name, request.claim().token(), cause));
            }
            checkIdle();
        });
    }

    private static StoreException unansweredRelease(String name, long span) {
        return StoreException.passing("The store did not answer within " + TimeUnit.NANOSECONDS.toMillis(span)
                + " ms to the release of an attempt for '" + name + "' that was given up. If it granted the lease and"
                + " never hears of the release, the lease ends with its ttl.");
    }

    private void checkIdle() {
        if (closing.get() && cells.isEmpty() && background.isEmpty()) {
            idle.complete(null);
        }
    }

    /** Asks the store something that is no lease's business, and waits for the answer. */
    public <T> T lookUp(String what, CompletionStage<T> answer) {
        CompletableFuture<T> future = answer.toCompletableFuture();
        try {
            return future.get(LOOK_UP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw Failures.ofStore(what, e);
        } catch (TimeoutException e) {
            future.cancel(true);
            throw StoreException.passing("The store did not answer the look-up of '" + what + "' within "
                    + LOOK_UP_SECONDS + " s; check the connection and the load of the store.");
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw StoreException.passing("The look-up of '" + what + "' was interrupted.", e);
        }
    }

    /** Who has {@code name}. */
    public java.util.Optional<LeaseRecord> find(String name) {
        requireOpen();
        return lookUp(name, store.find(store.canonicalName(name)));
    }

    /** Live leases by prefix. */
    public List<LeaseRecord> list(String prefix, int limit) {
        requireOpen();
        return lookUp(prefix, store.list(prefix, limit));
    }

    /** Ends everything, in the background; the last step runs on a thread of its own. */
    public CompletableFuture<Void> close() {
        if (closing.compareAndSet(false, true)) {
            lines.shut();
            Timeline.Background last = timeline.background("tenure-close");
            idle.whenComplete((done, failure) -> {
                try {
                    last.execute(() -> finish(last));
                } catch (OutOfMemoryError e) {
                    finish(last); // no thread is to be had, and close() has to return
                }
            });
            closer = Thread.currentThread();
            cells.stream()
                    .sorted(Comparator.comparingLong(LeaseCell::number))
                    .forEach(cell -> cell.post(new Signal.End(EndReason.CLOSED, 0)));
            closer = null;
            checkIdle();
        }
        return closed;
    }

    private void finish(Timeline.Background last) {
        events.flush();
        events.close();
        try {
            store.close();
        } catch (RuntimeException | Error e) {
            Uncaught.report(e); // a store that cannot let go must not keep close() from returning
        }
        callbacks.close();
        last.close();
        closed.complete(null);
    }

    /** Ends everything, and waits for it, unless called from inside the work, an observer, or a closing under way. */
    public void closeAndWait() {
        boolean inside = closer == Thread.currentThread()
                || events.isDelivering()
                || cells.stream().anyMatch(LeaseCell::isInside);
        CompletableFuture<Void> done = close();
        if (!inside) {
            Waits.uninterruptibly(done);
        }
    }

    /** Who this is. */
    public record Identity(String holder, String incarnation) {}
}
