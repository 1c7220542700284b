package io.tenure.examples;

import io.tenure.LeaseLock;
import io.tenure.LeaseLostException;
import io.tenure.LockOptions;
import io.tenure.LockWork;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.redis.RedisFence;
import io.tenure.redis.RedisLeaseStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * A job that every instance schedules, and one runs. Start it two or three times and look at who does which run:
 *
 * <pre>
 * mvn -q -pl examples -am package -DskipTests &amp;&amp; java -cp examples/target/examples.jar io.tenure.examples.PeriodicJob redis://localhost:6379
 * </pre>
 */
public final class PeriodicJob {
    private final LeaseLock lock;
    private final Duration period;
    private final Clock clock;
    private final LockWork<Exception> job;

    PeriodicJob(Tenure tenure, String name, Duration period, Clock clock, LockWork<Exception> job) {
        this.period = period;
        this.clock = clock;
        this.job = job;
        // The name stays taken although a run was short: an instance whose clock is a little late skips it too.
        // So it has to be more than clocks and schedules differ, and less than the period.
        lock = tenure.lock(
                name,
                LockOptions.ofTtl(Duration.ofSeconds(30))
                        .holdAtLeast(period.dividedBy(2))
                        .build());
    }

    /** Runs the job at every full period, unless another instance does; blocks until interrupted. */
    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(untilNextPeriod().toMillis());
            try {
                // One attempt: whoever has it does this run, nobody waits to do it again.
                // A run that outlasts the period, or the ttl, goes on: its lease is renewed.
                lock.runIfFree(job);
            } catch (InterruptedException e) {
                throw e; // this process is to stop; a lease that is lost does not come this way
            } catch (LeaseLostException e) {
                System.out.println("This run may have overlapped with another one: " + e.getMessage());
            } catch (Exception e) {
                // The job failed, or the store did: that run is lost, the schedule is not. An Error ends this method.
                System.out.println("This run failed: " + e);
            }
        }
    }

    private Duration untilNextPeriod() {
        long millis = period.toMillis();
        return Duration.ofMillis(millis - clock.millis() % millis);
    }

    public static void main(String[] args) {
        String uri = args.length > 0 ? args[0] : "redis://localhost:6379";
        StopSignal.interrupts(Thread.currentThread(), Duration.ofSeconds(10));
        try {
            RedisLeaseStore redis = RedisLeaseStore.connect(uri);
            try (Tenure tenure =
                    Tenure.over(redis).observer(System.out::println).open()) {
                RedisFence fence = redis.fence("examples:report");
                PeriodicJob job =
                        new PeriodicJob(tenure, "examples:report", Duration.ofSeconds(5), Clock.systemUTC(), held -> {
                            // Not the lock but the token keeps a paused run from overwriting a later result.
                            fence.set(
                                    held.token(),
                                    "examples:report:last",
                                    Instant.now().toString());
                            System.out.println("Reported, by token " + held.token());
                        });
                job.run();
            }
        } catch (InterruptedException e) {
            System.out.println("Stopped");
        } catch (StoreException e) {
            // So connecting tells of an interrupt, and keeps the flag; anything else is a failure.
            if (!Thread.currentThread().isInterrupted()) {
                throw e;
            }
            System.out.println("Stopped");
        }
    }
}
