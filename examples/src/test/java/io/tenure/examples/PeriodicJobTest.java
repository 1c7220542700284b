package io.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Lease;
import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PeriodicJobTest {
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int INSTANCES = 3;
    private static final int RUNS = 5;

    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    private final List<Long> tokens = new ArrayList<>();
    private final CountDownLatch runs = new CountDownLatch(RUNS);

    @Test
    void three_instances_with_different_clocks_run_the_job_once_a_period_also_after_runs_that_failed()
            throws Exception {
        ExecutorService instances = Executors.newFixedThreadPool(INSTANCES);
        try {
            for (int i = 0; i < INSTANCES; i++) {
                // Clocks that differ: the later ones come when the run of the first is long over.
                Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofMillis(-100L * i));
                instances.execute(() -> instance(clock));
            }

            assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            instances.shutdownNow();
            assertThat(instances.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
        // The store's clock, in microseconds, is in the tokens: they tell how far the runs were from one another.
        for (int i = 1; i < tokens.size(); i++) {
            assertThat(tokens.get(i) - tokens.get(i - 1))
                    .isGreaterThanOrEqualTo(PERIOD.dividedBy(2).toNanos() / 1_000);
        }
    }

    private void instance(Clock clock) {
        try (Tenure tenure = Tenure.over(RedisLeaseStore.connect(REDIS.uri())).open()) {
            new PeriodicJob(tenure, "job", PERIOD, clock, this::job).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the end of the test
        }
    }

    /** Never called twice at a time: the list needs no protection of its own. */
    private void job(Lease held) {
        tokens.add(held.token());
        runs.countDown();
        if (tokens.size() <= INSTANCES) {
            throw new IllegalStateException("a run that fails, for as many as could do the next one");
        }
    }
}
