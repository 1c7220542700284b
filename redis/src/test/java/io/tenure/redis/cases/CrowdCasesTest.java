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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Election 11: many elections, and many beginnings and ends, in one process. */
class CrowdCasesTest extends ElectionCase {
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final int OBSERVERS = 3;

    // A callback that came from the caller's thread would keep it asleep for ever.
    @Test
    @Timeout(value = 100)
    void case11_of_300_elections_none_is_lost_while_callbacks_are_saturated_and_observers_sleep() {
        int elections = 300;
        int queued = 2;
        int resigned = queued + 2;
        List<TenureEvent> events = new CopyOnWriteArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger observersAsleep = new AtomicInteger();
        AtomicInteger callbacksAsleep = new AtomicInteger();
        ThreadPoolExecutor callbacks =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(queued));
        Tenure.Builder builder = Tenure.over(RedisLeaseStore.connect(REDIS.uri()))
                .callbacks(callbacks)
                .observer(events::add);
        for (int i = 0; i < OBSERVERS; i++) {
            builder.observer(event -> sleepUntil(over, observersAsleep));
        }
        Tenure tenure = builder.open();
        try {
            List<Elector> electors = new ArrayList<>();
            List<Long> tokens = new ArrayList<>();
            for (int i = 0; i < elections; i++) {
                Elector elector =
                        tenure.elector(role + "-" + i, ElectorOptions.ofTtl(TTL).build());
                electors.add(elector);
                elector.campaign();
                tokens.add(elector.token().orElseThrow());
                elector.term().orElseThrow().ended().thenRun(() -> sleepUntil(over, callbacksAsleep));
            }
            // One term's end keeps the executor's only thread busy from now on, two more fill its queue, the last is
            // refused.
            electors.subList(0, resigned).forEach(Elector::resign);
            soon(
                    "saturated",
                    () -> callbacksAsleep.get() == 2 && callbacks.getQueue().size() == queued);
            soon("asleep", () -> observersAsleep.get() == OBSERVERS);
            List<Elector> others = electors.subList(resigned, elections);

            for (int glance = 0; glance < 30; glance++) {
                passes(TTL.dividedBy(10));
                assertThat(others).allMatch(Elector::isLeader);
            }

            for (int i = resigned; i < elections; i++) {
                assertThat(electors.get(i).token()).hasValue(tokens.get(i));
                assertThat(REDIS.cli().pttl(role + "-" + i + ":leader")).isPositive();
            }
            assertThat(electors.subList(0, resigned)).as("elected again").allMatch(Elector::isLeader);
            assertThat(events.stream().filter(Elected.class::isInstance)).hasSize(elections + resigned);
            assertThat(events).noneMatch(TenureEvent.LeaseLost.class::isInstance);
            assertThat(callbacks.getCompletedTaskCount()).as("saturated still").isZero();
            assertThat(callbacks.getQueue()).as("saturated still").hasSize(queued);
            assertThat(observersAsleep).as("asleep still").hasValue(OBSERVERS);
        } finally {
            over.countDown();
            tenure.close();
            soon("every first term's end is told", () -> callbacksAsleep.get() == elections);
            callbacks.shutdown();
        }
    }

    @Test
    void case11_a_hundred_starts_and_stops_leave_threads_connections_and_waiters_as_they_were() {
        soon("nobody but the test is connected", () -> connections() == 1);
        // The first round may start what the client shares among all of its kind, once and for all.
        startAndStop(0);
        soon("settled", () -> tenureThreads().isEmpty() && connections() == 1);
        int threads = threads().size();

        for (int round = 1; round <= 100; round++) {
            startAndStop(round);
            long closed = System.nanoTime();
            soon("no thread of ours is left", () -> tenureThreads().isEmpty());
            // Those that are merely idle end by themselves after ten seconds.
            assertThat(Duration.ofNanos(System.nanoTime() - closed)).isLessThan(lateSince(closed, TTL));
        }

        soon("as many threads as before", () -> threads().size() <= threads);
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
            // So that the thread of callbacks has been started too.
            CompletableFuture<Void> told =
                    leader.term().orElseThrow().ended().thenRun(() -> {}).toCompletableFuture();
            leader.resign();
            told.join();
        }
    }

    private static long connections() {
        return REDIS.cli().clientList().lines().count();
    }

    private static List<Thread> tenureThreads() {
        return threads().stream()
                .filter(thread -> thread.getName().startsWith("tenure"))
                .toList();
    }

    /** Of every group: daemons of a library may be in another than the test. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet();
    }

    private static void sleepUntil(CountDownLatch over, AtomicInteger asleep) {
        asleep.incrementAndGet();
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
