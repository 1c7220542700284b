package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.Candidacy;
import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.Elected;
import io.tenure.redis.RedisLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Election 11: many elections, and many beginnings and ends, in one process. */
class CrowdCasesTest extends ElectionCase {
    private static final Duration TTL = Duration.ofSeconds(2);

    @Test
    void case11_of_300_elections_none_is_lost_while_callbacks_are_saturated_and_observers_sleep() {
        int elections = 300;
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        ExecutorService callbacks = Executors.newFixedThreadPool(1);
        Tenure tenure = Tenure.over(RedisLeaseStore.connect(REDIS.uri()))
                .callbacks(callbacks)
                .observer(events::add)
                .observer(event -> sleepUntil(over))
                .open();
        try {
            List<Elector> electors = new ArrayList<>();
            List<Long> tokens = new ArrayList<>();
            for (int i = 0; i < elections; i++) {
                Elector elector =
                        tenure.elector(role + "-" + i, ElectorOptions.ofTtl(TTL).build());
                electors.add(elector);
                elector.campaign();
                tokens.add(elector.token().orElseThrow());
                elector.term().orElseThrow().ended().thenRun(() -> sleepUntil(over));
            }
            // One term's end keeps the only thread of the executor busy from now on.
            electors.get(0).resign();

            for (int glance = 0; glance < 30; glance++) {
                passes(TTL.dividedBy(10));
                assertThat(electors.subList(1, elections)).allMatch(Elector::isLeader);
            }

            for (int i = 1; i < elections; i++) {
                assertThat(electors.get(i).token()).hasValue(tokens.get(i));
                assertThat(REDIS.cli().pttl(role + "-" + i + ":leader")).isPositive();
            }
            assertThat(events.stream().filter(Elected.class::isInstance)).hasSize(elections + 1);
            assertThat(events).noneMatch(TenureEvent.LeaseLost.class::isInstance);
            assertThat(over.getCount()).as("still sleeping").isEqualTo(1);
        } finally {
            over.countDown();
            tenure.close();
            callbacks.shutdown();
        }
    }

    @Test
    void case11_a_hundred_starts_and_stops_leave_threads_connections_and_waiters_as_they_were() {
        soon("nobody but the test is connected", () -> connections() == 1);
        // The first round may start what the client shares among all of its kind, once and for all.
        startAndStop(0);
        soon("settled", () -> tenureThreads().isEmpty() && connections() == 1);
        int threads = Thread.activeCount();

        for (int round = 1; round <= 100; round++) {
            startAndStop(round);
        }

        soon("no thread of ours is left", () -> tenureThreads().isEmpty());
        soon("as many threads as before", () -> Thread.activeCount() <= threads);
        soon("as many connections as before", () -> connections() == 1);
        assertThat(REDIS.cli().keys("*:waiters*")).isEmpty();
        assertThat(REDIS.cli().keys("*:leader")).isEmpty();
    }

    /** One leads, one waits behind it; both stop. */
    private void startAndStop(int round) {
        ElectorOptions options = ElectorOptions.ofTtl(TTL).build();
        try (Tenure one = Tenure.over(RedisLeaseStore.connect(REDIS.uri())).open();
                Tenure other = Tenure.over(RedisLeaseStore.connect(REDIS.uri())).open()) {
            Elector leader = one.elector(role, options);
            Elector waiter = other.elector(role, options);
            leader.campaign();
            Candidacy waits = waiter.campaign();
            assertThat(leader.isLeader()).as("round %d", round).isTrue();
            assertThat(waiting()).isEqualTo(1);
            waits.close();
        }
    }

    private static long connections() {
        return REDIS.cli().clientList().lines().count();
    }

    private static List<String> tenureThreads() {
        Thread[] all = new Thread[Thread.activeCount() * 2 + 10];
        int found = Thread.enumerate(all);
        return Arrays.stream(all, 0, found)
                .map(Thread::getName)
                .filter(name -> name.startsWith("tenure"))
                .toList();
    }

    private static void sleepUntil(CountDownLatch over) {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
