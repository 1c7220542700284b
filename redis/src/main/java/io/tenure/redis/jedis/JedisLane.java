package io.tenure.redis.jedis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Some threads for calls that block, in front of a bounded queue. Threads end when they have been idle. */
final class JedisLane {

    /**
     * What a lane may take.
     *
     * @param threads how many calls run at once
     * @param queued how many more wait for a thread
     * @param idle after how long without a call a thread ends
     */
    record Limits(int threads, int queued, Duration idle) {}

    private final ThreadPoolExecutor executor;

    JedisLane(String server, Limits limits) {
        executor = new ThreadPoolExecutor(
                limits.threads(),
                limits.threads(),
                limits.idle().toNanos(),
                TimeUnit.NANOSECONDS,
                new ArrayBlockingQueue<>(limits.queued()),
                task -> {
                    Thread thread = new Thread(task, "tenure-redis-call " + server);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /** @throws java.util.concurrent.RejectedExecutionException when it is full, or closed */
    void add(JedisCall<?> call) {
        executor.execute(call);
    }

    /** What nobody waits for any more takes no place in the queue. */
    void drop(JedisCall<?> call) {
        executor.remove(call);
    }

    /** Returns the calls that will not run. Those that do have their time-outs. */
    List<JedisCall<?>> close() {
        executor.shutdown();
        List<Runnable> waiting = new ArrayList<>();
        executor.getQueue().drainTo(waiting);
        return waiting.stream().<JedisCall<?>>map(JedisCall.class::cast).toList();
    }
}
