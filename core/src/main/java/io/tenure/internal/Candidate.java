package io.tenure.internal;

import io.tenure.Candidacy;
import io.tenure.EndReason;
import io.tenure.LeaderWork;
import io.tenure.LeaseRecord;
import io.tenure.internal.machine.Effect;
import io.tenure.internal.machine.LeaseMachine;
import io.tenure.internal.machine.Profile;
import io.tenure.internal.machine.Signal;
import io.tenure.internal.machine.Standing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One candidacy: the face of an elector's machine. */
final class Candidate implements Candidacy, Face {
    private final Kernel kernel;
    private final RoleElector elector;
    private final @Nullable LeaderWork work;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final LeaseCell cell;
    private final CompletableFuture<Void> answered = new CompletableFuture<>();
    private final CompletableFuture<Effect.Retire> over = new CompletableFuture<>();
    private final AtomicReference<@Nullable WorkRun> run = new AtomicReference<>();

    Candidate(Kernel kernel, RoleElector elector, Profile profile, Standing standing, @Nullable LeaderWork work) {
        this.kernel = kernel;
        this.elector = elector;
        this.work = work;
        this.cell = new LeaseCell(
                kernel,
                LeaseMachine.candidate(profile, standing, kernel.timeline().nanos()),
                this);
    }

    void start() {
        kernel.register(cell);
        kernel.lines().join(cell);
    }

    /** The store's answer to the first attempt, or its failure, or the end of all. */
    CompletableFuture<Void> firstAnswer() {
        return answered;
    }

    CompletableFuture<Effect.Retire> over() {
        return over;
    }

    void end(EndReason reason) {
        elector.relinquish(reason);
        cell.post(new Signal.End(reason, 0));
    }

    @Override
    public EndReason awaitEnd() throws InterruptedException {
        Effect.Retire end = Waits.interruptibly(over);
        kernel.events().flush();
        if (end.failure() instanceof Error error) {
            throw error;
        }
        return end.reason();
    }

    @Override
    public void close() {
        end(EndReason.CLOSED);
        if (!cell.isInside()) {
            Waits.uninterruptibly(over);
            kernel.events().flush();
        }
    }

    /** Whether the calling thread is the work's or an observer's, which must not wait for itself. */
    @Override
    public boolean isInside() {
        WorkRun current = run.get();
        return current != null && current.isCurrentThread() || kernel.events().isDelivering();
    }

    /** Completes when the work of an earlier term has really ended, even where nobody waits for it any more. */
    CompletableFuture<Void> workOver() {
        WorkRun current = run.get();
        return current == null ? CompletableFuture.completedFuture(null) : current.over();
    }

    @Override
    public void begun(LiveLease lease) {
        elector.begun(new TermHandle(lease, cell), lease);
    }

    @Override
    public void startWork(LiveLease lease) {
        LeaderWork todo = work == null ? term -> waitForEnd(lease) : work;
        WorkRun next = new WorkRun(cell, elector.begunTerm(), elector.options().claims(), todo);
        run.set(next);
        next.start(kernel.workThreads(), loader);
    }

    /** The work of a candidacy without work that claims fences: nothing, until the term ends. */
    private static void waitForEnd(LiveLease lease) throws InterruptedException {
        Waits.interruptibly(lease.ended().toCompletableFuture());
    }

    @Override
    public void published(LiveLease lease) {
        elector.published(lease);
        WorkRun current = run.get();
        if (current != null) {
            current.published();
        }
    }

    @Override
    public void finished(LiveLease lease, EndReason reason) {
        elector.finished(lease);
        WorkRun current = run.get();
        if (current != null) {
            current.stop(
                    work != null && elector.options().isSignalOnly()
                            ? WorkRun.Interruption.NEVER
                            : WorkRun.Interruption.INTERRUPT);
        }
    }

    @Override
    public void saw(LeaseRecord record) {
        elector.saw(record);
    }

    @Override
    public void answered() {
        answered.complete(null);
    }

    @Override
    public void retired(Effect.Retire end, Standing standing) {
        elector.retired(this, standing);
        over.complete(end);
        answered.complete(null);
    }
}
