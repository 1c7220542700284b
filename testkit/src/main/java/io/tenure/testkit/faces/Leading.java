package io.tenure.testkit.faces;

import io.tenure.LeaderWork;
import io.tenure.Term;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Work that leads until it is interrupted, or told to return; and remembers its terms. */
final class Leading implements LeaderWork {
    private final List<Term> terms = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Semaphore mayReturn = new Semaphore(0);
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger interrupts = new AtomicInteger();

    @Override
    public void lead(Term term) throws InterruptedException {
        threads.add(Thread.currentThread());
        terms.add(term);
        try {
            mayReturn.acquire();
        } catch (InterruptedException e) {
            interrupts.incrementAndGet();
            throw e;
        } finally {
            ended.incrementAndGet();
        }
    }

    /** Lets one term's work return. */
    void finish() {
        mayReturn.release();
    }

    int begun() {
        return terms.size();
    }

    int ended() {
        return ended.get();
    }

    int interrupts() {
        return interrupts.get();
    }

    /** Whether it is leading at this moment. */
    boolean isUnderWay() {
        return begun() > ended();
    }

    Term term(int index) {
        return terms.get(index);
    }

    Thread thread(int index) {
        return threads.get(index);
    }

    /** The tokens of its terms, in order. */
    List<Long> tokens() {
        return terms.stream().map(Term::token).toList();
    }
}
