package io.tenure.tool.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** All that the contenders said, in the order of arrival. Thread-safe. */
final class Inbox {
    /** Said on behalf of a contender that ended although nobody told it to. */
    static final String GONE = "gone";
    /** Said by a contender that cannot go on. */
    static final String PROBLEM = "problem";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final List<Line> lines = new ArrayList<>();

    void add(Line line) {
        lock.lock();
        try {
            lines.add(line);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How much has been said so far: the place to await what comes after this moment from. */
    int mark() {
        lock.lock();
        try {
            return lines.size();
        } finally {
            lock.unlock();
        }
    }

    /** What was said since {@code mark}. */
    List<Line> since(int mark) {
        lock.lock();
        try {
            return List.copyOf(lines.subList(mark, lines.size()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the first wanted line since {@code mark}.
     *
     * @param what what is waited for, to end "waited ... for"
     * @throws StepFailed when it did not come within {@code bound}, or a contender ended or gave up meanwhile
     */
    Line await(String what, int mark, Duration bound, Predicate<Line> wanted) throws StepFailed, InterruptedException {
        long deadline = System.nanoTime() + bound.toNanos();
        int next = mark;
        lock.lock();
        try {
            while (true) {
                for (; next < lines.size(); next++) {
                    Line line = lines.get(next);
                    if (wanted.test(line)) {
                        return line;
                    }
                    if (line.is(GONE) || line.is(PROBLEM)) {
                        throw new StepFailed("Waiting for " + what + ", but " + line.from() + " said: " + line.text());
                    }
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new StepFailed("Waited " + bound.toSeconds() + " s for " + what + ", in vain");
                }
                arrived.await(left, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }
}
