package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.redis.lettuce.LettuceClients;
import io.tenure.redis.servers.RawConnection;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many waiters, many names, and many messages: what they cost, and what they leave. */
class WaiterCrowdTest {
    private static final int CROWD = 1_000;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration BOUND = Duration.ofMinutes(2);

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicInteger mostHolders = new AtomicInteger();
    private RedisCommands<String, String> cli;
    private String name;
    private long connections;

    @BeforeEach
    void empty() {
        cli = redis.cli();
        cli.flushall();
        name = fresh("job");
        connections = connections();
    }

    @AfterEach
    void nothingIsLeft() {
        timer.shutdown();
        await().until(() -> cli.pubsubChannels("tenure:*").isEmpty());
        await().until(() -> connections() == connections);
        assertThat(cli.keys("*:leader")).isEmpty();
        assertThat(cli.keys("*:waiters*")).isEmpty();
        assertThat(cli.keys("*")).allMatch(key -> key.endsWith(":fence") || key.endsWith(":fence:applied"));
    }

    private long connections() {
        return cli.clientList().lines().count();
    }

    private static void awaitLive(RedisLeaseStore store) {
        await().atMost(BOUND).until(() -> store.wakeups().isLive());
    }

    private LineWaiter waiter(RedisLeaseStore store, Duration lineFor) {
        return new LineWaiter(store, name, lineFor, timer, looks);
    }

    /** Holds for a moment, and lets go. */
    private void serve(RedisLeaseStore store, Claim claim) {
        mostHolders.accumulateAndGet(holders.incrementAndGet(), Math::max);
        holders.decrementAndGet();
        store.release(new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN));
    }

    /** Every other one lives; of the rest, half died, and half died and came again. Those in order: 0, 2, 4, ... 3, 7, 11, ... */
    @Test
    void law21_of_a_thousand_the_live_ones_are_served_in_the_order_of_their_arrival() {
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Integer> expected = new ArrayList<>();
        try (RedisLeaseStore store = RedisLeaseStore.connect(redis.uri())) {
            Claim holder = hold(store, ttl(lock(claim(name, "holder")), LONG));
            List<LineWaiter> live = new ArrayList<>();
            IntStream.range(0, CROWD * 3 / 4)
                    .forEach(i -> live.add(waiter(store, LONG).listen()));
            awaitLive(store);
            try (RedisLeaseStore lost = RedisLeaseStore.connect(redis.uri())) {
                for (int i = 0; i < CROWD; i++) {
                    LineWaiter one = i % 2 == 0 ? live.get(i / 2) : waiter(lost, LONG);
                    if (i % 4 == 3) {
                        one.listen();
                    }
                    assertThat(one.enter()).isEqualTo(i + 1);
                }
                awaitLive(lost);
            }
            await().until(() -> cli.pubsubChannels("tenure:*").size() == live.size());
            IntStream.range(0, CROWD / 2).map(i -> 2 * i).forEach(expected::add);
            for (int i = 3; i < CROWD; i += 4) {
                assertThat(live.get(CROWD / 2 + i / 4).enter()).isEqualTo(CROWD + i / 4 + 1);
                expected.add(i);
            }
            for (int i = 0; i < expected.size(); i++) {
                int who = expected.get(i);
                live.get(i).begin(claim -> {
                    served.add(who);
                    serve(store, claim);
                });
            }

            release(store, holder);

            await().atMost(BOUND)
                    .until(() -> served.size() == expected.size()
                            && cli.keys("*:leader").isEmpty());
            assertThat(served).isEqualTo(expected);
            assertThat(mostHolders).hasValue(1);
            assertThat(looks.get()).as("attempts").isLessThan(2 * expected.size());
        }
    }

    /** Paused ones hear, and do not act: those behind them find out by looking, until the paused ones have run out. */
    @Test
    void law20_of_a_thousand_all_that_live_are_served_whoever_else_is_dead_paused_or_restarted() {
        Duration look = Duration.ofSeconds(1);
        List<Integer> served = new CopyOnWriteArrayList<>();
        long start;
        try (RedisLeaseStore store = RedisLeaseStore.connect(redis.uri());
                RedisLeaseStore other = RedisLeaseStore.connect(redis.uri())) {
            Claim holder = hold(store, ttl(lock(claim(name, "holder")), LONG));
            List<LineWaiter> live = new ArrayList<>();
            start = System.nanoTime();
            try (RedisLeaseStore lost = RedisLeaseStore.connect(redis.uri())) {
                for (int i = 0; i < CROWD; i++) {
                    RedisLeaseStore through = i % 4 == 0 ? store : other;
                    switch (i % 6) {
                        case 1 -> waiter(lost, look).enter();
                        case 3 -> waiter(through, look).listen().enter();
                        case 5 -> {
                            waiter(lost, look).listen().enter();
                            live.add(waiter(through, look).listen());
                        }
                        default -> {
                            LineWaiter one = waiter(through, look).listen();
                            one.enter();
                            live.add(one);
                        }
                    }
                }
            }
            for (int i = 0; i < live.size(); i++) {
                int who = i;
                live.get(i)
                        .begin(
                                claim -> {
                                    served.add(who);
                                    serve(store, claim);
                                },
                                look);
            }

            release(store, holder);

            await().atMost(BOUND)
                    .until(() ->
                            served.size() == live.size() && cli.keys("*:leader").isEmpty());
            double looksEach = 2 + (double) (System.nanoTime() - start) / look.toNanos();
            assertThat(served).doesNotHaveDuplicates();
            assertThat(mostHolders).hasValue(1);
            assertThat(looks.get()).as("attempts").isLessThan((int) (live.size() * (looksEach + 2)));
            await().atMost(BOUND).until(() -> cli.exists(name + ":waiters", name + ":waiters:seen") == 0);
        }
    }

    private static List<Claim> holdAll(RedisLeaseStore store, List<String> names) {
        List<LeaseRequest> requests = names.stream()
                .map(each -> ttl(lock(claim(each, "holder")), LONG))
                .toList();
        List<CompletionStage<Acquisition>> answers =
                requests.stream().map(store::acquire).toList();
        List<Claim> held = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            held.add(requests.get(i).claim().withToken(((Acquisition.Granted) get(answers.get(i))).token()));
        }
        return held;
    }

    @Test
    void two_thousand_names_are_waited_for_over_one_connection_for_pushes() {
        List<String> names =
                IntStream.range(0, 2_000).mapToObj(i -> name + "-" + i).toList();
        LongAdder attempts = new LongAdder();
        RedisPort port = new BentPort(LettuceClients.connect(redis.uri()), BentPort.Shape.STANDALONE, script -> {
            if (script.name().equals("acquire")) {
                attempts.increment();
            }
            return script;
        });
        try (RedisLeaseStore store = RedisLeaseStore.connect(redis.uri())) {
            List<Claim> held = holdAll(store, names);
            try (Tenure tenure = Tenure.over(RedisLeaseStore.over(port, RedisStoreOptions.defaults()))
                    .open()) {
                // Looks of its own are so far apart that there are none in here, but for one at first.
                LockOptions patient = LockOptions.ofTtl(TTL).retryEvery(LONG).build();
                List<CompletableFuture<Optional<HeldLock>>> waiting = names.stream()
                        .map(each -> tenure.lock(each, patient)
                                .tryAcquireAsync(BOUND)
                                .toCompletableFuture())
                        .toList();
                await().atMost(BOUND).until(() -> cli.keys("*:waiters").size() == names.size());
                assertThat(cli.pubsubChannels("tenure:*")).hasSize(1);
                assertThat(connections())
                        .as("its own, the holder's, one for pushes")
                        .isEqualTo(connections + 3);

                held.forEach(claim -> store.release(new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN)));

                for (CompletableFuture<Optional<HeldLock>> one : waiting) {
                    assertThat(one)
                            .succeedsWithin(BOUND)
                            .satisfies(lock -> assertThat(lock).isPresent());
                }
                assertThat(connections()).isEqualTo(connections + 3);
                assertThat(attempts.sum())
                        .as("at first, when the push came to life, after it")
                        .isLessThanOrEqualTo(3L * names.size());
                waiting.forEach(lock -> lock.join().orElseThrow().close());
            }
        }
    }

    @Test
    void law20_a_flood_of_messages_costs_few_attempts_and_the_waiter_is_served_all_the_same() {
        ConcurrentHashMap<String, LongAdder> runs = new ConcurrentHashMap<>();
        RedisPort port = new BentPort(LettuceClients.connect(redis.uri()), BentPort.Shape.STANDALONE, script -> {
            runs.computeIfAbsent(script.name(), key -> new LongAdder()).increment();
            return script;
        });
        List<String> messages = List.of(
                "0 " + name,
                "0 " + name,
                "1 " + name,
                "",
                "probe",
                "-1 " + name,
                "0 nobody",
                "9223372036854775807 " + name,
                "99999999999999999999 " + name,
                "9999999999 " + name,
                "0",
                "0 ",
                "0 " + "x".repeat(2_000),
                "\u0000\uFFFF");
        try (RedisLeaseStore store = RedisLeaseStore.connect(redis.uri())) {
            Claim held = hold(store, ttl(lock(claim(name, "holder")), LONG));
            try (Tenure tenure = Tenure.over(RedisLeaseStore.over(port, RedisStoreOptions.defaults()))
                    .open()) {
                LockOptions patient = LockOptions.ofTtl(TTL).retryEvery(LONG).build();
                CompletableFuture<Optional<HeldLock>> waiting =
                        tenure.lock(name, patient).tryAcquireAsync(BOUND).toCompletableFuture();
                await().until(() -> cli.pubsubChannels("tenure:*").size() == 1 && cli.exists(name + ":waiters") == 1);
                String channel = cli.pubsubChannels("tenure:*").get(0);
                long start = System.nanoTime();
                long before = runs.get("acquire").sum();

                try (RawConnection connection = RawConnection.to(redis.port(), BOUND)) {
                    for (int i = 0; i < 200; i++) {
                        for (int j = 0; j < 100; j++) {
                            connection.send("PUBLISH", channel, messages.get((100 * i + j) % messages.size()));
                        }
                        for (int j = 0; j < 100; j++) {
                            assertThat(connection.receive()).containsExactly("1");
                        }
                    }
                }
                release(store, held);

                assertThat(waiting)
                        .succeedsWithin(BOUND)
                        .satisfies(lock -> assertThat(lock).isPresent());
                long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                assertThat(runs.get("acquire").sum() - before).as("attempts").isLessThanOrEqualTo(elapsed / 10 + 3);
                waiting.join().orElseThrow().close();
            }
        }
    }
}
