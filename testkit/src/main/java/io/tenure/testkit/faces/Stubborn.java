package io.tenure.testkit.faces;

import io.tenure.LeaderWork;
import io.tenure.Term;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Work that does not end when it is interrupted, but only when it is allowed to. */
final class Stubborn implements LeaderWork {
    private final CountDownLatch allowed = new CountDownLatch(1);
    private final AtomicInteger interrupts = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile @Nullable Term term;

    @Override
    public void lead(Term next) {
        term = next;
        begun.incrementAndGet();
        boolean over = false;
        while (!over) {
            try {
                allowed.await();
                over = true;
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
            }
        }
        ended.incrementAndGet();
    }

    void allowToEnd() {
        allowed.countDown();
    }

    int begun() {
        return begun.get();
    }

    int ended() {
        return ended.get();
    }

    int interrupts() {
        return interrupts.get();
    }

    /** The last term begun. */
    Term term() {
        Term last = term;
        if (last == null) {
            throw new AssertionError("has not begun");
        }
        return last;
    }
}
