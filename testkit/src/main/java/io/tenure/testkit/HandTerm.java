package io.tenure.testkit;

import io.tenure.EndReason;
import io.tenure.LeaseLostException;
import io.tenure.Names;
import io.tenure.Term;
import io.tenure.Tokens;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A term that is held and ended by hand, for unit tests of what is done under one: no store, no clock, no threads. It
 * stays held until it is told otherwise. {@link #ended()} completes on the thread that ends it, when {@link #isHeld()}
 * is false already; nobody is interrupted, so a test of work that relies on it says
 * {@code term.ended().thenRun(worker::interrupt)}. Thread-safe.
 */
public final class HandTerm implements Term {
    private final String name;
    private final long token;
    private final CompletableFuture<EndReason> ended = new CompletableFuture<>();
    private final AtomicReference<@Nullable EndReason> end = new AtomicReference<>();
    private volatile Duration remaining = Duration.ofHours(1);

    private HandTerm(String name, long token) {
        this.name = Names.require("name", name);
        this.token = token;
        if (!Tokens.isValid(token)) {
            throw new IllegalArgumentException(
                    "The token of '" + name + "' is " + token + ": it has to be from 1 to 2^53 - 1");
        }
    }

    /**
     * A term of {@code name} that is held, for an hour if one asks.
     *
     * @throws IllegalArgumentException when the name or the token cannot be one
     */
    public static HandTerm held(String name, long token) {
        return new HandTerm(name, token);
    }

    /**
     * Says what {@link #remaining()} tells from now on, as long as the term is held.
     *
     * @throws IllegalArgumentException when {@code left} is not positive
     */
    public HandTerm withRemaining(Duration left) {
        if (left.isNegative() || left.isZero()) {
            throw new IllegalArgumentException("remaining is " + left + ": to end the term, let it expire()");
        }
        remaining = left;
        return this;
    }

    /** Ends it as a deadline does that passed without a renewal. Without effect when it is over. */
    public void expire() {
        lose(EndReason.EXPIRED);
    }

    /** Ends it for {@code reason}. Without effect when it is over. */
    public void lose(EndReason reason) {
        if (end.compareAndSet(null, Objects.requireNonNull(reason, "reason"))) {
            ended.complete(reason);
        }
    }

    @Override
    public void resign() {
        lose(EndReason.RESIGNED);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String holder() {
        return "by-hand";
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public boolean isHeld() {
        return end.get() == null;
    }

    @Override
    public Duration remaining() {
        return isHeld() ? remaining : Duration.ZERO;
    }

    @Override
    public void requireHeld() {
        EndReason reason = end.get();
        if (reason != null) {
            throw new LeaseLostException(name, token, reason);
        }
    }

    /** @throws LeaseLostException as {@link #requireHeld()}, or with {@link EndReason#EXPIRED} when less is left */
    @Override
    public void requireRemaining(Duration atLeast) {
        requireHeld();
        if (remaining.compareTo(atLeast) < 0) {
            throw new LeaseLostException(name, token, EndReason.EXPIRED);
        }
    }

    @Override
    public CompletionStage<EndReason> ended() {
        return ended.minimalCompletionStage();
    }

    @Override
    public String toString() {
        EndReason reason = end.get();
        return "term '" + name + "' with token " + token + (reason == null ? ", held" : ", over: " + reason);
    }
}
