package io.tenure.internal;

import io.tenure.HeldLock;
import io.tenure.LeaseLock;
import io.tenure.LeaseRecord;
import io.tenure.LockCall;
import io.tenure.LockNotAcquiredException;
import io.tenure.LockOptions;
import io.tenure.LockWork;
import io.tenure.TenureException;
import io.tenure.internal.Acquiring.Outcome;
import io.tenure.internal.machine.LeaseMachine;
import io.tenure.internal.machine.Profile;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lock of one name. Without state: every acquisition has its own machine. */
public final class NamedLock implements LeaseLock {
    /** A wait below a millisecond is one attempt: it would be over before the store is asked. */
    private static final long SHORTEST_WAIT = 1_000_000;

    private final Kernel kernel;
    private final String name;
    private final LockOptions options;

    /** For {@code name} in its canonical form. */
    public NamedLock(Kernel kernel, String name, LockOptions options) {
        this.kernel = kernel;
        this.name = name;
        this.options = options;
    }

    /** Whether a hold is renewed. */
    private enum Renewing {
        AS_OPTED,
        ALWAYS
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "lock '" + name + "'";
    }

    @Override
    public Optional<HeldLock> tryAcquire() {
        return attempt(Renewing.AS_OPTED).held();
    }

    @Override
    public Optional<HeldLock> tryAcquire(Duration maxWait) throws InterruptedException {
        return await(maxWait, Renewing.AS_OPTED).held();
    }

    @Override
    public HeldLock acquire() throws InterruptedException {
        requireUninterrupted();
        Outcome outcome = await(waiting(LeaseMachine.NEVER, Renewing.AS_OPTED));
        return outcome.held().orElseThrow(() -> new IllegalStateException("'" + name + "': an endless wait ended"));
    }

    @Override
    public CompletionStage<Optional<HeldLock>> tryAcquireAsync(Duration maxWait) {
        Acquiring acquiring = start(maxWait, Renewing.AS_OPTED);
        CompletableFuture<Optional<HeldLock>> told = new CompletableFuture<>();
        acquiring
                .outcome()
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            if (failure != null) {
                                told.completeExceptionally(Failures.unwrapped(failure));
                            } else if (!told.complete(outcome.held())) {
                                outcome.held().ifPresent(HeldLock::releaseAsync);
                            }
                        },
                        acquiring::callBack);
        told.whenComplete((held, failure) -> {
            if (!acquiring.outcome().isDone()) {
                acquiring.giveUp(); // the user cancelled it, or completed it by a time-out of its own
            }
        });
        return told;
    }

    /** One attempt; an interrupt is kept for later, since an attempt is bounded. */
    private Outcome attempt(Renewing renewing) {
        return Waits.uninterruptibly(
                once(renewing, Acquiring::startOnceAndServe).outcome());
    }

    private Outcome await(Duration maxWait, Renewing renewing) throws InterruptedException {
        requireUninterrupted();
        return await(start(maxWait, renewing));
    }

    private void requireUninterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before '" + name + "' was asked for");
        }
    }

    private Acquiring start(Duration maxWait, Renewing renewing) {
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("maxWait for '" + name + "' is negative: " + maxWait);
        }
        long now = kernel.timeline().nanos();
        long wait =
                maxWait.compareTo(LockOptions.MAX_TTL.multipliedBy(100)) > 0 ? LeaseMachine.NEVER : maxWait.toNanos();
        return wait < SHORTEST_WAIT
                ? once(renewing, Acquiring::startOnce)
                : waiting(wait == LeaseMachine.NEVER ? wait : now + wait, renewing);
    }

    private Acquiring once(Renewing renewing, Consumer<Acquiring> start) {
        long now = kernel.timeline().nanos();
        Acquiring acquiring = new Acquiring(kernel, LeaseMachine.once(profile(renewing), now));
        if (kernel.lines().hasWaiters(name)) {
            kernel.requireOpen();
            acquiring.passBy();
        } else {
            start.accept(acquiring);
        }
        return acquiring;
    }

    private Acquiring waiting(long budgetEnd, Renewing renewing) {
        long now = kernel.timeline().nanos();
        Acquiring acquiring = new Acquiring(kernel, LeaseMachine.waiter(profile(renewing), now, budgetEnd));
        acquiring.startWaiting();
        return acquiring;
    }

    /** An interrupted wait ends empty-handed: what was granted meanwhile has been given back when this throws. */
    private static Outcome await(Acquiring acquiring) throws InterruptedException {
        try {
            return Waits.interruptibly(acquiring.outcome());
        } catch (InterruptedException e) {
            acquiring.giveUp();
            throw e;
        }
    }

    private Profile profile(Renewing renewing) {
        boolean renewed = renewing == Renewing.ALWAYS || options.isRenewed();
        long ttl = options.ttl().toNanos();
        long maxHold = options.maxHold().map(Duration::toNanos).orElse(LeaseMachine.NEVER);
        String holder = kernel.lockHolder();
        return new Profile(
                name,
                holder,
                kernel.incarnation(),
                LeaseKind.LOCK,
                ttl,
                renewed ? ttl / 100 * 32 : 0,
                options.retryEvery().toNanos(),
                0,
                options.holdAtLeast().toNanos(),
                maxHold,
                false,
                false,
                holder.hashCode() * 0x9E3779B97F4A7C15L);
    }

    @Override
    public <X extends Exception> void run(LockWork<X> work) throws X {
        call(asCall(work));
    }

    @Override
    public <X extends Exception> void run(Duration maxWait, LockWork<X> work) throws X, InterruptedException {
        call(maxWait, asCall(work));
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(LockCall<T, X> work) throws X {
        Objects.requireNonNull(work, "work");
        options.requireRenewable();
        return guarded(acquired(attempt(Renewing.ALWAYS)), work);
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(Duration maxWait, LockCall<T, X> work)
            throws X, InterruptedException {
        Objects.requireNonNull(work, "work");
        options.requireRenewable();
        return guarded(acquired(await(maxWait, Renewing.ALWAYS)), work);
    }

    @Override
    public <X extends Exception> boolean runIfFree(LockWork<X> work) throws X {
        return callIfFree(held -> {
                    work.run(held);
                    return Boolean.TRUE;
                })
                .isPresent();
    }

    @Override
    public <T, X extends Exception> Optional<T> callIfFree(LockCall<T, X> work) throws X {
        Objects.requireNonNull(work, "work");
        options.requireRenewable();
        LockHandle lock = attempt(Renewing.ALWAYS).lock();
        return lock == null ? Optional.empty() : Optional.ofNullable(guarded(lock, work));
    }

    @SuppressWarnings("NullAway") // without type annotations on type arguments it does not see that null is meant
    private static <X extends Exception> LockCall<@Nullable Void, X> asCall(LockWork<X> work) {
        Objects.requireNonNull(work, "work");
        return held -> {
            work.run(held);
            return null;
        };
    }

    private LockHandle acquired(Outcome outcome) {
        LockHandle lock = outcome.lock();
        if (lock == null) {
            LeaseRecord holder = outcome.holder();
            throw holder == null ? new LockNotAcquiredException(name) : new LockNotAcquiredException(holder);
        }
        return lock;
    }

    /** Runs {@code work} under {@code lock}, and releases whatever happens. */
    private <T extends @Nullable Object, X extends Exception> T guarded(LockHandle lock, LockCall<T, X> work) throws X {
        BodyGuard guard = new BodyGuard();
        if (!options.isSignalOnly()) {
            lock.onFinish(guard::interrupt);
        }
        T result;
        try {
            result = work.call(lock);
        } catch (Throwable thrown) { // rethrown below in every case, after the release
            boolean onlyOurs = guard.end(thrown);
            TenureException loss = releaseOf(lock);
            if (onlyOurs && loss != null) {
                loss.addSuppressed(thrown);
                throw loss;
            }
            if (loss != null) {
                thrown.addSuppressed(loss);
            }
            throw thrown;
        }
        guard.end(lock);
        TenureException loss = releaseOf(lock);
        if (loss != null) {
            throw loss;
        }
        return result;
    }

    private static @Nullable TenureException releaseOf(LockHandle lock) {
        try {
            Waits.uninterruptibly(lock.startRelease());
            return null;
        } catch (TenureException failure) {
            return failure;
        }
    }
}
