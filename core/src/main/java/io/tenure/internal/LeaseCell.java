package io.tenure.internal;

import io.tenure.EndReason;
import io.tenure.LeaseRecord;
import io.tenure.TenureEvent;
import io.tenure.TenureException;
import io.tenure.Timeline;
import io.tenure.internal.machine.Effect;
import io.tenure.internal.machine.Effects;
import io.tenure.internal.machine.LeaseMachine;
import io.tenure.internal.machine.Phase;
import io.tenure.internal.machine.Profile;
import io.tenure.internal.machine.Signal;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs one {@link LeaseMachine}: feeds it signals one at a time, and carries out its effects on the thread that posted
 * the signal. Everything but {@link #post} is called from there only.
 */
final class LeaseCell implements Effects {
    private final Kernel kernel;
    private final LeaseMachine machine;
    private final Profile profile;
    private final Face face;
    private final long number;
    private final Mailbox<Signal> mailbox = new Mailbox<>(this::handle);
    /** Of a thread that is just posting what it will wait for. */
    private volatile @Nullable Offer offer;

    private @Nullable Call call;
    /** Whether what is being handled is the user's wish for a refresh, who may wait for it on this very thread. */
    private boolean refreshing;

    private @Nullable LiveLease lease;
    private Timeline.@Nullable Timer timer;
    private long timerAt = LeaseMachine.NEVER;
    private long timerSlack;

    LeaseCell(Kernel kernel, LeaseMachine machine, Face face) {
        this.kernel = kernel;
        this.machine = machine;
        this.profile = machine.profile();
        this.face = face;
        this.number = kernel.nextNumber();
    }

    /** How many leases of this {@code Tenure} were begun before it. */
    long number() {
        return number;
    }

    String name() {
        return profile.name();
    }

    /** Whether the calling thread is one that must not wait for this lease's end. */
    boolean isInside() {
        return mailbox.isHandling() || face.isInside();
    }

    void post(Signal signal) {
        mailbox.post(signal);
    }

    /** The same by a thread that waits for what comes of it, on which the store may do the call that this leads to. */
    void postAndServe(Signal signal) {
        Offer mine = new Offer();
        offer = mine;
        mailbox.post(signal);
        offer = null;
        mine.serve();
    }

    /** Where users learn of what this lease does: never while its machine is at work, whose next step they may wait for. */
    void callBack(Runnable task) {
        Callbacks callbacks = kernel.callbacks();
        callbacks.announce();
        mailbox.afterwards(() -> callbacks.execute(task));
    }

    private void handle(Signal signal) {
        long now = kernel.timeline().nanos();
        if (signal instanceof Signal.Tick && now >= timerAt - timerSlack) {
            timer = null;
            timerAt = LeaseMachine.NEVER;
        }
        refreshing = signal instanceof Signal.Refresh;
        try {
            for (Effect effect : machine.on(signal, now)) {
                carryOut(effect);
            }
        } finally {
            schedule();
        }
    }

    /**
     * One that fails (no thread is to be had, the stack is full) must not take the others with it: a lease without a timer
     * or an outcome would be renewed for nobody, and waited for without end.
     */
    private void carryOut(Effect effect) {
        try {
            effect.by(this);
        } catch (RuntimeException | Error e) {
            Uncaught.report(e);
        }
    }

    /** One timer a lease; one that goes off too early costs less than moving it with every call. */
    private void schedule() {
        if (machine.phase() == Phase.OVER) {
            cancelTimer();
            return;
        }
        long next = machine.nextTimer();
        long slack = machine.timerSlack();
        if (next != LeaseMachine.NEVER && (next < timerAt || slack != timerSlack)) {
            cancelTimer();
            timerAt = next;
            timerSlack = slack;
            timer = kernel.timeline().schedule(next, slack, () -> post(new Signal.Tick()));
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        timerAt = LeaseMachine.NEVER;
    }

    @Override
    public void sendAcquire(Effect.SendAcquire effect) {
        LeaseRequest request = new LeaseRequest(
                claim(effect.attempt(), 0),
                profile.kind(),
                Duration.ofNanos(profile.ttl()),
                effect.floor(),
                effect.takeover(),
                effect.lineFor());
        Offer waiting = offer;
        send(
                effect.call(),
                () -> waiting == null
                        ? kernel.store().acquire(request)
                        : kernel.store().acquire(request, waiting),
                answer -> acquired(effect.call(), answer));
    }

    private Signal acquired(int number, Acquisition answer) {
        if (answer instanceof Acquisition.Granted granted) {
            return new Signal.Granted(number, granted.token(), granted.regressedTo());
        }
        Acquisition.Denied denied = (Acquisition.Denied) answer;
        return new Signal.Denied(
                number,
                denied.current(),
                denied.place(),
                kernel.store().wakeups().isLive());
    }

    @Override
    public void sendRenew(Effect.SendRenew effect) {
        int number = effect.call();
        Call renewal = new Call(number);
        call = renewal;
        RenewRequest request = new RenewRequest(
                claim(effect.attempt(), effect.token()), profile.kind(), Duration.ofNanos(profile.ttl()));
        BiConsumer<@Nullable Renewal, @Nullable Throwable> receiver = (answer, failure) -> answered(
                renewal,
                answer,
                failure,
                value -> value instanceof Renewal.Renewed renewed
                        ? new Signal.Renewed(number, renewed.regressedTo())
                        : new Signal.Lost(number, ((Renewal.Lost) value).current()));
        if (refreshing) {
            kernel.renewals().sendAlone(renewal, request, receiver);
        } else {
            kernel.renewals().add(renewal, request, receiver);
        }
    }

    @Override
    public void sendRelease(Effect.SendRelease effect) {
        ReleaseRequest request =
                new ReleaseRequest(claim(effect.attempt(), effect.token()), effect.holdFor(), effect.mode());
        long bound = profile.releaseBound();
        send(
                effect.call(),
                () -> Releasing.send(kernel.store(), kernel.timeline(), request, bound, offer),
                ours -> new Signal.Released(effect.call(), ours));
    }

    private <T> void send(
            int number, java.util.function.Supplier<CompletionStage<T>> request, Function<T, Signal> answer) {
        Call sent = new Call(number);
        call = sent;
        sent.take();
        CompletionStage<T> stage;
        try {
            stage = request.get();
        } catch (RuntimeException | Error e) {
            stage = CompletableFuture.failedFuture(e);
        }
        sent.sent(stage.toCompletableFuture());
        stage.whenComplete((value, failure) -> answered(sent, value, failure, answer));
    }

    private <T> void answered(Call of, @Nullable T value, @Nullable Throwable failure, Function<T, Signal> answer) {
        if (of.isAbandoned()) {
            post(new Signal.CallOver(of.number));
        } else if (value != null) {
            post(read(of, value, answer));
        } else {
            post(new Signal.Failed(of.number, Failures.ofStore(profile.name(), failure)));
        }
    }

    private <T> Signal read(Call of, T value, Function<T, Signal> answer) {
        try {
            return answer.apply(value);
        } catch (RuntimeException | Error e) {
            return new Signal.Failed(of.number, Failures.ofStore(profile.name(), e));
        }
    }

    @Override
    public void disown(Effect.Disown effect) {
        ReleaseRequest request = new ReleaseRequest(claim(effect.attempt(), 0), Duration.ZERO, ReleaseMode.PLAIN);
        kernel.inBackground(request, profile.releaseBound());
    }

    @Override
    public void abandon(Effect.Abandon effect) {
        Call abandoned = call;
        if (abandoned != null && abandoned.number == effect.call()) {
            call = null;
            if (abandoned.abandon()) {
                post(new Signal.CallOver(effect.call()));
            } else {
                kernel.renewals().awaitSending();
            }
        }
    }

    private Claim claim(long attempt, long token) {
        return new Claim(profile.name(), profile.holder(), profile.incarnation(), attempt, token);
    }

    @Override
    public void joinLine() {
        kernel.lines().join(this);
    }

    @Override
    public void leaveLine(Effect.Leaving how) {
        kernel.lines().leave(this, how);
    }

    @Override
    public void begin(Effect.Begin effect) {
        lease = new LiveLease(
                profile.name(),
                profile.holder(),
                effect.attempt(),
                effect.token(),
                effect.deadline(),
                kernel.timeline());
        face.begun(lease);
    }

    @Override
    public void startWork() {
        face.startWork(lease());
    }

    @Override
    public void publish() {
        face.published(lease());
    }

    @Override
    public void extend(long deadline) {
        lease().extend(deadline);
    }

    @Override
    public void finish(EndReason reason) {
        LiveLease over = lease();
        over.finish(reason, this::callBack);
        face.finished(over, reason);
    }

    private LiveLease lease() {
        if (lease == null) {
            throw new IllegalStateException("'" + profile.name() + "' has no lease");
        }
        return lease;
    }

    @Override
    public void refreshed(@Nullable TenureException failure) {
        face.refreshed(failure);
    }

    @Override
    public void releaseDone(@Nullable TenureException failure) {
        face.releaseDone(failure);
    }

    @Override
    public void saw(LeaseRecord record) {
        face.saw(record);
    }

    @Override
    public void answered() {
        face.answered();
    }

    @Override
    public void tell(TenureEvent event) {
        kernel.events().tell(event);
    }

    @Override
    public void retire(Effect.Retire effect) {
        // Whoever waits for the outcome is told first: the last lease that is forgotten lets the Tenure end.
        face.retired(effect, machine.standing());
        kernel.forget(this);
    }
}
