package io.tenure.internal;

import io.tenure.StoreException;
import io.tenure.Timeline;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.ReleaseRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A release that is sent again while its store fails in passing: one that met a connection about to break would otherwise
 * leave the name taken for the rest of its ttl, although the server was up throughout. Never two at once. It fails with
 * the last failure when there is no time for another one within its bound; one that hangs is up to whoever set the bound
 * to cancel, after which nothing is sent any more.
 */
final class Releasing extends CompletableFuture<Boolean> {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

    private final LeaseStore store;
    private final Timeline timeline;
    private final ReleaseRequest request;
    private final long until;
    private long pause = FIRST_PAUSE;
    private volatile boolean sentBefore;
    private volatile @Nullable CompletableFuture<Boolean> sent;
    private volatile Timeline.@Nullable Timer timer;

    private Releasing(LeaseStore store, Timeline timeline, ReleaseRequest request, long span) {
        this.store = store;
        this.timeline = timeline;
        this.request = request;
        this.until = timeline.nanos() + span;
    }

    /** Sends {@code request}, on this thread, and again for {@code span} nanoseconds at most. */
    static Releasing send(LeaseStore store, Timeline timeline, ReleaseRequest request, long span) {
        return send(store, timeline, request, span, null);
    }

    /** @param waiting a thread that the store may use for the first of them */
    static Releasing send(
            LeaseStore store, Timeline timeline, ReleaseRequest request, long span, @Nullable Executor waiting) {
        Releasing releasing = new Releasing(store, timeline, request, span);
        releasing.send(waiting);
        return releasing;
    }

    private void send(@Nullable Executor waiting) {
        CompletionStage<Boolean> stage;
        try {
            stage = waiting == null ? store.release(request) : store.release(request, waiting);
        } catch (RuntimeException | Error e) {
            stage = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Boolean> future = stage.toCompletableFuture();
        sent = future;
        if (isDone()) {
            future.cancel(true); // taken back while it was being sent
        }
        stage.whenComplete(this::answered);
    }

    private void answered(@Nullable Boolean ours, @Nullable Throwable failure) {
        if (ours != null) {
            // What the first one left without an answer may have ended the lease.
            complete(ours || sentBefore);
        } else if (isPassing(failure) && until - timeline.nanos() > pause) {
            again();
        } else {
            completeExceptionally(Failures.ofStore(request.claim().name(), failure));
        }
    }

    /** What is no {@link StoreException} is a defect, which no second try mends. */
    private static boolean isPassing(@Nullable Throwable failure) {
        return failure != null && Failures.unwrapped(failure) instanceof StoreException known && known.isTransient();
    }

    private void again() {
        sentBefore = true;
        long at = timeline.nanos() + pause;
        pause *= 2;
        timer = timeline.schedule(at, 0, this::sendUnlessOver);
        if (isDone()) {
            cancelTimer();
        }
    }

    private void sendUnlessOver() {
        if (!isDone()) {
            send(null);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        cancelTimer();
        CompletableFuture<Boolean> last = sent;
        if (last != null) {
            last.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }

    private void cancelTimer() {
        Timeline.Timer pending = timer;
        if (pending != null) {
            pending.cancel();
        }
    }
}
