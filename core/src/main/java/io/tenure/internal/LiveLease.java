package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.Lease;
import io.tenure.LeaseLostException;
import io.tenure.Timeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What holders see of a lease: written by its machine, read by any thread. */
final class LiveLease implements Lease {
    private final String name;
    private final String holder;
    private final long attempt;
    private final long token;
    private final Timeline timeline;
    /** What completes for those who asked for the end before it came; null while nobody has. */
    private final AtomicReference<@Nullable CompletableFuture<EndReason>> asked = new AtomicReference<>();

    private volatile long deadline;
    /** Why it counts as not held, perhaps ahead of its machine. */
    private volatile @Nullable EndReason reason;
    /** Why its machine ended it. */
    private volatile @Nullable EndReason ended;

    LiveLease(String name, String holder, long attempt, long token, long deadline, Timeline timeline) {
        this.name = name;
        this.holder = holder;
        this.attempt = attempt;
        this.token = token;
        this.deadline = deadline;
        this.timeline = timeline;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String holder() {
        return holder;
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public boolean isHeld() {
        return reason == null && deadline - timeline.nanos() > 0;
    }

    @Override
    public Duration remaining() {
        return reason == null ? untilDeadline() : Duration.ZERO;
    }

    /** As {@link #remaining()}, whether or not an end was decided meanwhile. */
    Duration untilDeadline() {
        return Duration.ofNanos(Math.max(0, deadline - timeline.nanos()));
    }

    @Override
    public void requireHeld() {
        if (!isHeld()) {
            throw lost();
        }
    }

    @Override
    public void requireRemaining(Duration atLeast) {
        Duration left = remaining();
        requireHeld();
        if (left.compareTo(atLeast) < 0) {
            throw LeaseLostException.tooShort(name, token, left, atLeast);
        }
    }

    @Override
    public CompletionStage<EndReason> ended() {
        CompletableFuture<EndReason> first = new CompletableFuture<>();
        CompletableFuture<EndReason> before = asked.compareAndExchange(null, first);
        CompletableFuture<EndReason> told = before == null ? first : before;
        // Whoever asks once it is over, as interrupted work does, need not wait until the executor has got round to it.
        // Read after the asking was written: an end that overlooked it is seen here.
        EndReason over = ended;
        return over == null ? told.minimalCompletionStage() : CompletableFuture.completedStage(over);
    }

    LeaseLostException lost() {
        EndReason why = reason;
        return new LeaseLostException(name, token, why == null ? EndReason.EXPIRED : why);
    }

    /** Whether its end was decided or its deadline has passed. */
    boolean isOver() {
        return !isHeld();
    }

    long attempt() {
        return attempt;
    }

    void extend(long until) {
        deadline = until;
    }

    /** Makes it count as not held from now on, ahead of the machine. False when it was over already. */
    boolean relinquish(EndReason why) {
        if (!isHeld()) {
            return false;
        }
        reason = why;
        return true;
    }

    /** Ends it: first not held, then {@code ended} is completed, by the executor where somebody asked for it before. */
    void finish(EndReason why, Executor callbacks) {
        reason = why;
        ended = why;
        CompletableFuture<EndReason> told = asked.get();
        if (told != null) {
            callbacks.execute(() -> told.complete(why));
        }
    }

    @Override
    public String toString() {
        return "lease '" + name + "' of '" + holder + "', token " + token + (isHeld() ? ", held" : ", over");
    }
}
