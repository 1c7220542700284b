package io.tenure.redis.lettuce;

import io.lettuce.core.cluster.RedisClusterClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has the client look again who owns which slots, from the moment when something was amiss until all owners are in reach;
 * whatever the client does about that by itself, which by default is nothing.
 */
final class LettuceRefresh {
    private final RedisClusterClient client;
    private final BooleanSupplier isWell;
    private final List<Runnable> onReturn = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Search> current = new AtomicReference<>();
    private final AtomicBoolean lost = new AtomicBoolean();
    private volatile CompletableFuture<?> lastLook = CompletableFuture.completedFuture(null);
    private volatile boolean closed;

    /** @param isWell whether all owners are in reach; does not block, and begins to connect to those that are not */
    LettuceRefresh(RedisClusterClient client, BooleanSupplier isWell) {
        this.client = client;
        this.isWell = isWell;
    }

    /** As {@link io.tenure.redis.RedisPort#onReturn}. */
    void onReturn(Runnable action) {
        onReturn.add(action);
    }

    /** A node went out of reach: begins to look, and tells when all are in reach again. */
    void lost() {
        lost.set(true);
        begin();
    }

    /** Begins to look, unless that is being done; completes after the first look, whatever came of it. */
    CompletableFuture<Void> begin() {
        Search next = new Search();
        Search under = current.compareAndExchange(null, next);
        if (under != null) {
            return under.first;
        }
        next.look();
        return next.first;
    }

    /** Ends the search; complete when no look is under way any more, which would open connections. */
    CompletableFuture<?> close() {
        closed = true;
        return lastLook;
    }

    private final class Search {
        private static final long FIRST_PAUSE_MILLIS = 50;
        private static final long LONGEST_PAUSE_MILLIS = 800;

        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private long pauseMillis = FIRST_PAUSE_MILLIS;
        private boolean tells;

        void look() {
            CompletableFuture<Void> over = new CompletableFuture<>();
            lastLook = over; // before closed is looked at: closing sees this one, or this one sees that all is closed
            if (closed) {
                over.complete(null);
                first.complete(null);
                return;
            }
            tells |= lost.getAndSet(false);
            client.refreshPartitionsAsync().whenComplete((done, failure) -> {
                over.complete(null);
                first.complete(null);
                if (closed || isWell.getAsBoolean()) {
                    end();
                } else {
                    lookLater();
                }
            });
        }

        private void end() {
            current.set(null);
            if (tells) {
                onReturn.forEach(Runnable::run);
            }
            if (lost.get()) {
                begin(); // told too late for this search
            }
        }

        /** At random, so that many processes do not come in step. */
        private void lookLater() {
            long pause = pauseMillis / 2 + ThreadLocalRandom.current().nextLong(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
            try {
                ScheduledExecutorService timer = client.getResources().eventExecutorGroup();
                timer.schedule(this::look, pause, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                closed = true; // with the client's threads
            }
        }
    }
}
