package io.tenure.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One call to the store on behalf of a lease: sent at most once, and not at all when it was abandoned before. */
final class Call {
    final int number;
    private final AtomicReference<State> state = new AtomicReference<>(State.PREPARED);
    private volatile boolean abandoned;
    private volatile @Nullable CompletableFuture<?> future;

    private enum State {
        PREPARED,
        SENT,
        DROPPED
    }

    Call(int number) {
        this.number = number;
    }

    /** Whether it may be sent: false when it was abandoned before. */
    boolean take() {
        return state.compareAndSet(State.PREPARED, State.SENT);
    }

    void sent(CompletableFuture<?> future) {
        this.future = future;
        if (abandoned) {
            future.cancel(true);
        }
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /** Drops or cancels it; true when its end is known already, and will not be told any more. */
    boolean abandon() {
        abandoned = true;
        if (state.compareAndSet(State.PREPARED, State.DROPPED)) {
            return true;
        }
        CompletableFuture<?> sent = future;
        if (sent == null) {
            return false;
        }
        boolean over = sent.isDone();
        sent.cancel(true);
        return over;
    }
}
