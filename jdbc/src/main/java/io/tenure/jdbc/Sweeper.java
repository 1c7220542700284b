package io.tenure.jdbc;

import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.spi.StoreListener;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that rows of locks go when their tokens are not kept any longer: now and then, in a call of its own, for which
 * nobody has to wait who wants a lock. Thread-safe.
 */
final class Sweeper {
    /** Rows that are over are looked for once in so many locks: fewer than are then deleted. */
    private static final int LOCKS_PER_SWEEP = 32;
    /** How many rows go at once. */
    static final int MOST_ROWS = 100;
    /** Where there were fewer to go, nothing is looked for so soon again. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<CompletionStage<Integer>> sweep;
    private final StoreListener warnings;
    private final AtomicInteger locks = new AtomicInteger();
    private final LongSupplier nanos;
    private final AtomicLong notBefore;
    /** Whether it has been told that old rows stay. */
    private final AtomicBoolean refused = new AtomicBoolean();

    /**
     * @param sweep deletes {@link #MOST_ROWS} at most, and answers how many
     * @param nanos a clock
     */
    Sweeper(Supplier<CompletionStage<Integer>> sweep, StoreListener warnings, LongSupplier nanos) {
        this.sweep = sweep;
        this.warnings = warnings;
        this.nanos = nanos;
        this.notBefore = new AtomicLong(nanos.getAsLong());
    }

    /** One more lock was granted. */
    void granted() {
        if (locks.getAndIncrement() % LOCKS_PER_SWEEP == 0 && nanos.getAsLong() - notBefore.get() >= 0) {
            sweep.get().whenComplete(this::swept);
        }
    }

    private void swept(@Nullable Integer rows, @Nullable Throwable failure) {
        if (rows == null || rows < MOST_ROWS) {
            notBefore.set(nanos.getAsLong() + PAUSE);
        }
        if (failure == null) {
            refused.set(false);
        } else if (failure instanceof StoreException store
                && !store.isTransient()
                && refused.compareAndSet(false, true)) {
            warnings.report(new TenureEvent.StoreWarning(
                    "Rows of locks that are over could not be deleted, and pile up. " + store.getMessage()));
        }
    }
}
