package io.tenure.redis.fleet;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * The loop of an elector of the Go library redlease, by its documented timing: it polls by its acquire interval, slightly
 * jittered downward, renews at once and then by its renew interval, and releases when its term ends, unless it is killed.
 */
final class GoElector implements AutoCloseable {
    private final GoInstance instance;
    private final Duration ttl;
    private final Duration renewEvery;
    private final Duration acquireEvery;
    private final LongConsumer work;
    private final List<Long> terms = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile long token;
    private volatile boolean resigned;
    private volatile boolean over;
    private volatile boolean killed;

    /** @param work what it does at the beginning of each term */
    GoElector(GoInstance instance, Duration ttl, Duration acquireEvery, LongConsumer work) {
        this.instance = instance;
        this.ttl = ttl;
        this.renewEvery = ttl.dividedBy(3);
        this.acquireEvery = acquireEvery;
        this.work = work;
        this.thread = new Thread(this::run, "go-" + instance.id);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Empty while it does not lead. */
    OptionalLong token() {
        long now = token;
        return now == 0 ? OptionalLong.empty() : OptionalLong.of(now);
    }

    boolean isLeader() {
        return token != 0;
    }

    /** The tokens of all its terms so far. */
    List<Long> terms() {
        return List.copyOf(terms);
    }

    void resign() {
        if (isLeader()) {
            resigned = true;
            LockSupport.unpark(thread);
        }
    }

    /** Ends it where it is: nothing more is sent. */
    void kill() {
        killed = true;
        close();
    }

    private void run() {
        while (!over) {
            long sentAt = System.nanoTime();
            OptionalLong won = instance.acquire(ttl);
            if (won.isPresent()) {
                lead(won.getAsLong(), sentAt);
            }
            long jitter = ThreadLocalRandom.current().nextLong(acquireEvery.toNanos() / 10 + 1);
            pauseUntil(System.nanoTime() + acquireEvery.toNanos() - jitter);
        }
    }

    private void lead(long won, long sentAt) {
        terms.add(won);
        resigned = false;
        token = won;
        work.accept(won);
        long extendedAt = sentAt;
        while (!isAsked() && System.nanoTime() - extendedAt < ttl.toNanos()) {
            long now = System.nanoTime();
            if (!instance.renew(ttl)) {
                break;
            }
            extendedAt = now;
            pauseUntil(now + renewEvery.toNanos());
        }
        token = 0;
        resigned = false;
        if (!killed) {
            instance.release();
        }
    }

    private boolean isAsked() {
        return over || resigned;
    }

    private void pauseUntil(long end) {
        for (long left = end - System.nanoTime(); left > 0 && !isAsked(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {
        over = true;
        LockSupport.unpark(thread);
        try {
            thread.join(Fleet.PATIENCE.toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (thread.isAlive()) {
            throw new AssertionError(thread.getName() + " does not end");
        }
    }
}
