package io.tenure.internal;

import io.tenure.Fence;
import io.tenure.LeaderWork;
import io.tenure.Term;
import io.tenure.internal.machine.Signal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One term's work on its own thread: claims the fences, waits until the term is published, leads, reports the end. */
final class WorkRun implements Runnable {
    private final LeaseCell cell;
    private final Term term;
    private final List<Fence> claims;
    private final LeaderWork work;
    private final CompletableFuture<Boolean> mayLead = new CompletableFuture<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final ReentrantLock guard = new ReentrantLock();
    private @Nullable Thread thread;

    WorkRun(LeaseCell cell, Term term, List<Fence> claims, LeaderWork work) {
        this.cell = cell;
        this.term = term;
        this.claims = claims;
        this.work = work;
    }

    void start(WorkThreads threads, @Nullable ClassLoader loader) {
        Thread worker;
        try {
            worker = threads.make(this, term.name());
            thread = worker;
            worker.setContextClassLoader(loader);
            worker.start();
        } catch (RuntimeException | Error e) {
            guard.lock();
            try {
                thread = null;
            } finally {
                guard.unlock();
            }
            over.complete(null);
            cell.post(new Signal.WorkEnded(e instanceof RuntimeException ? e : new IllegalStateException(e)));
        }
    }

    @Override
    public void run() {
        Throwable failure = null;
        try {
            for (Fence fence : claims) {
                fence.claim(term.token());
            }
            if (!claims.isEmpty()) {
                cell.post(new Signal.Claimed());
            }
            if (mayLead.get()) {
                work.lead(term);
            }
        } catch (Throwable t) {
            // Whatever ends the work ends the term; an Error is rethrown where the candidacy is awaited.
            failure = t;
        }
        leaveThread();
        over.complete(null);
        cell.post(new Signal.WorkEnded(failure));
    }

    /** From here on nobody interrupts this thread on our account, and what is sent from it is sent uninterrupted. */
    private void leaveThread() {
        guard.lock();
        try {
            thread = null;
        } finally {
            guard.unlock();
        }
        Thread.interrupted();
    }

    void published() {
        mayLead.complete(true);
    }

    /** The term is over: work that has not started does not start, and what runs is interrupted; claims always are. */
    void stop(Interruption interruption) {
        mayLead.complete(false);
        boolean leads = mayLead.getNow(false);
        if (leads && interruption == Interruption.NEVER) {
            return;
        }
        guard.lock();
        try {
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            guard.unlock();
        }
    }

    boolean isCurrentThread() {
        guard.lock();
        try {
            return thread == Thread.currentThread();
        } finally {
            guard.unlock();
        }
    }

    CompletableFuture<Void> over() {
        return over;
    }

    /** What becomes of work whose term ended. */
    enum Interruption {
        INTERRUPT,
        NEVER
    }
}
