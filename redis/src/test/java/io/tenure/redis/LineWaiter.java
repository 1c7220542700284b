package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;

import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseStore;
import io.tenure.spi.Wakeups;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One of many who stand in line for a name: looks when it is told to and, if it polls, when it was not told for long. Lives on
 * the one thread of its timer.
 */
final class LineWaiter {
    final Claim claim;
    private final LeaseStore store;
    private final Duration lineFor;
    private final ScheduledExecutorService timer;
    private final AtomicInteger looks;
    private Optional<Duration> poll = Optional.empty();
    private Optional<Future<?>> next = Optional.empty();
    private Consumer<Claim> onServed = served -> {};
    private Wakeups.Registration registration;
    private State state = State.IDLE;

    private enum State {
        /** Hears, and does nothing about it: paused, or not begun. */
        IDLE,
        WAITING,
        LOOKING,
        /** Looking, and told to look meanwhile. */
        TOLD,
        SERVED
    }

    /** @param looks counts every attempt */
    LineWaiter(LeaseStore store, String name, Duration lineFor, ScheduledExecutorService timer, AtomicInteger looks) {
        this.store = store;
        this.claim = claim(name, "waiter");
        this.lineFor = lineFor;
        this.timer = timer;
        this.looks = looks;
    }

    LineWaiter listen() {
        registration = store.wakeups()
                .await(
                        claim.name(),
                        claim.incarnation(),
                        after -> timer.schedule(this::look, after.toMillis(), TimeUnit.MILLISECONDS));
        return this;
    }

    /** Enters the line; its place there. */
    int enter() {
        return denied(store, waiting(lock(claim), lineFor)).place();
    }

    /** From now on looks when told, and is told of itself when served: it releases again after that. */
    void begin(Consumer<Claim> served) {
        timer.execute(() -> {
            onServed = served;
            state = State.WAITING;
        });
    }

    /** The same, and looks every so often when it is not told. */
    void begin(Consumer<Claim> served, Duration every) {
        timer.execute(() -> {
            poll = Optional.of(every);
            onServed = served;
            state = State.WAITING;
            lookLater(every);
        });
    }

    private void lookLater(Duration after) {
        next = Optional.of(timer.schedule(this::look, after.toMillis(), TimeUnit.MILLISECONDS));
    }

    private void look() {
        if (state == State.LOOKING) {
            state = State.TOLD;
        } else if (state == State.WAITING) {
            next.ifPresent(scheduled -> scheduled.cancel(false));
            state = State.LOOKING;
            looks.incrementAndGet();
            store.acquire(waiting(lock(claim), lineFor))
                    .whenComplete((answer, failure) -> timer.execute(() -> answered(answer)));
        }
    }

    private void answered(Acquisition answer) {
        if (answer instanceof Acquisition.Granted granted) {
            state = State.SERVED;
            registration.served();
            onServed.accept(claim.withToken(granted.token()));
            return;
        }
        boolean told = state == State.TOLD;
        state = State.WAITING;
        if (told) {
            look();
        } else {
            poll.ifPresent(this::lookLater);
        }
    }
}
