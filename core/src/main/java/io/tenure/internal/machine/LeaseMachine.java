package io.tenure.internal.machine;

import io.tenure.EndReason;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.internal.machine.Contention.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The life of one lock acquisition, or of one candidacy with all its terms. Deterministic: what comes out depends only on
 * the profile and on the signals and times that went in. Not thread-safe: signals come one after another.
 *
 * <p>What each phase does with each signal is written down in {@link Transitions}; the two halves of the life are {@link
 * Contending} and {@link Holding}.
 */
public final class LeaseMachine {
    /** A time that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    final Profile profile;
    final Calls calls = new Calls();
    final Contention contention;

    @Nullable
    Hold hold;
    /** Why the candidacy is to end with its present term; null while it goes on. */
    @Nullable
    EndReason closing;

    private Phase phase = Phase.WAITING;
    private @Nullable Throwable fatal;
    private List<Effect> effects = new ArrayList<>(4);

    private LeaseMachine(Profile profile, Contention contention) {
        this.profile = profile;
        this.contention = contention;
    }

    /** One attempt for a lock, which the first {@link Signal.Turn} sets off. */
    public static LeaseMachine once(Profile profile, long now) {
        return new LeaseMachine(profile, new Contention(profile, Standing.NEW, now, NEVER, true));
    }

    /** A waiter for a lock until {@code budgetEnd}, queued in the local line. */
    public static LeaseMachine waiter(Profile profile, long now, long budgetEnd) {
        return new LeaseMachine(profile, new Contention(profile, Standing.NEW, now, budgetEnd, false));
    }

    /** A candidacy, queued in the local line. */
    public static LeaseMachine candidate(Profile profile, Standing standing, long now) {
        return new LeaseMachine(profile, new Contention(profile, standing, now, NEVER, false));
    }

    /** Takes a signal at {@code now}, and returns what is to be done about it, in order. */
    public List<Effect> on(Signal signal, long now) {
        if (signal instanceof Signal.Answer answer && !calls.isCurrent(answer.call())) {
            return List.of();
        }
        Phase from = phase;
        effects = new ArrayList<>(4);
        Transitions.Row row = Transitions.row(from, signal);
        row.action().apply(this, signal, now);
        if (!row.to().contains(phase)) {
            throw new IllegalStateException("'" + profile.name() + "' went from " + from + " to " + phase + " on "
                    + signal + ", which is in no table");
        }
        return effects;
    }

    /** Where the lease is. */
    public Phase phase() {
        return phase;
    }

    /** What does not change. */
    public Profile profile() {
        return profile;
    }

    /** What to begin the next candidacy with. */
    public Standing standing() {
        return contention.standing();
    }

    /** When a {@link Signal.Tick} is wanted; {@link #NEVER} for not at all. */
    public long nextTimer() {
        return switch (phase) {
            case WAITING -> Math.min(contention.budgetEnd, contention.place == Place.QUEUED ? NEVER : contention.tryAt);
            case ATTEMPTING -> Math.min(contention.budgetEnd, calls.bound());
            case HOLDING, RENEWING, DRAINING -> Holding.nextTimer(this);
            case OVER -> NEVER;
        };
    }

    /** How much earlier than {@link #nextTimer()} the tick may come. */
    public long timerSlack() {
        return phase == Phase.HOLDING && hold() != null && hold().renewAt == nextTimer() ? profile.renewSlack() : 0;
    }

    Hold hold() {
        if (hold == null) {
            throw new IllegalStateException("'" + profile.name() + "' has no lease in " + phase);
        }
        return hold;
    }

    void go(Phase to) {
        phase = to;
    }

    void emit(Effect effect) {
        effects.add(effect);
    }

    void tell(TenureEvent event) {
        effects.add(new Effect.Tell(event));
    }

    void fatal(Throwable failure) {
        fatal = failure;
    }

    /** The end of it all: nothing is sent, scheduled or told after this. */
    void retire(EndReason reason, @Nullable Throwable failure) {
        phase = Phase.OVER;
        closing = reason;
        emit(new Effect.Retire(reason, failure == null ? fatal : failure, Optional.ofNullable(contention.lastDenial)));
    }

    StoreException unanswered(String what, long now) {
        long millis = (now - calls.sentAt()) / 1_000_000;
        return StoreException.passing("The store did not answer the " + what + " of '" + profile.name() + "' within "
                + millis + " ms. It may have been carried out; check the connection and the load of the store.");
    }

    /** Cancels the current call, whose answer does not matter any more. */
    void abandonCall() {
        if (calls.isUnderWay()) {
            emit(new Effect.Abandon(calls.abandon()));
        }
    }

    static Duration span(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos));
    }
}
