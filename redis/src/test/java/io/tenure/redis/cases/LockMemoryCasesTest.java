package io.tenure.redis.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.Tenure;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.RedisStoreOptions;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of what names leave behind that are used once. */
class LockMemoryCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration RETENTION = TTL.multipliedBy(2);
    private static final int NAMES = 200_000;
    private static final int WARM = 2_000;
    private static final int AT_A_TIME = 64;
    private static final Pattern ROW = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");
    private static final Pattern TOTAL = Pattern.compile("Total\\s+(\\d+)\\s+(\\d+)");

    private CompletableFuture<Void> closing = new CompletableFuture<>();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** What is alive after a full collection: how many of each class, and how many bytes altogether. */
    private record Heap(Map<String, Long> instances, long bytes) {
        Map<String, Long> beyond(Heap before) {
            Map<String, Long> more = new TreeMap<>();
            instances.forEach((type, count) -> more.put(type, count - before.instances.getOrDefault(type, 0L)));
            return more;
        }

        static Heap now() throws IOException, InterruptedException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            "" + ProcessHandle.current().pid(),
                            "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            String text = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor()).as(text).isZero();
            Map<String, Long> instances = new TreeMap<>();
            long bytes = 0;
            for (String line : text.lines().toList()) {
                Matcher row = ROW.matcher(line);
                Matcher total = TOTAL.matcher(line);
                if (row.matches()) {
                    instances.merge(row.group(3), Long.parseLong(row.group(1)), Long::sum);
                } else if (total.find()) {
                    bytes = Long.parseLong(total.group(2));
                }
            }
            assertThat(bytes).as(text).isPositive();
            return new Heap(instances, bytes);
        }
    }

    @Test
    void case26_of_200000_names_acquired_and_released_once_nothing_is_retained() throws Exception {
        RedisStoreOptions options =
                RedisStoreOptions.builder().retention(RETENTION).build();
        AtomicLong events = new AtomicLong();
        // Not a member of the bench, which remembers all that it did.
        Tenure tenure = Tenure.over(RedisLeaseStore.connect(redis.uri(), options))
                .observer(event -> events.incrementAndGet())
                .open();
        try {
            use(tenure, "warm", WARM);
            assertRetainsNoName(tenure); // before much time goes into the rest
            Heap before = Heap.now();
            before = Heap.now(); // with what the first one takes, as it will be afterwards
            use(tenure, "name", NAMES);
            assertRetainsNoName(tenure);
            Heap after = Heap.now();

            assertThat(events.get())
                    .as("events that were told, of which some were dropped")
                    .isPositive();
            Map<String, Long> more = after.beyond(before);
            more.values().removeIf(count -> count < NAMES / 100);
            assertThat(more)
                    .as("classes of which there are more, by one for a hundred names")
                    .isEmpty();
            assertThat(after.bytes() - before.bytes()).as("bytes more").isLessThan(NAMES * 5L);
        } finally {
            // Not awaited yet: one that retains what it should not never ends, and the verdict is above.
            closing = tenure.closeAsync().toCompletableFuture();
        }
        assertThat(closing).succeedsWithin(Bench.PATIENCE);
        Bench.until("the server has forgotten them, too", () -> redis.cli().dbsize() == 0);
    }

    /** Leases that are over leave a moment after their callers heard of it. */
    private static void assertRetainsNoName(Tenure tenure) throws ReflectiveOperationException {
        Field field = Tenure.class.getDeclaredField("kernel");
        field.setAccessible(true);
        Object kernel = field.get(tenure);
        for (String map : List.of("size", "waitedFor")) {
            Method count = kernel.getClass().getMethod(map);
            await(map)
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> count.invoke(kernel).equals(0));
        }
    }

    private void use(Tenure tenure, String what, int names) throws InterruptedException {
        String prefix = bench.name(what);
        LockOptions options = LockOptions.ofTtl(TTL).renewed().build();
        Semaphore places = new Semaphore(AT_A_TIME);
        done.set(0);
        for (int i = 0; i < names; i++) {
            assertThat(places.tryAcquire(20, TimeUnit.SECONDS)).as("goes on").isTrue();
            tenure.lock(prefix + "." + i, options)
                    .tryAcquireAsync(i % 2 == 0 ? Duration.ZERO : TTL)
                    .thenCompose(held -> held.map(HeldLock::releaseAsync).orElseThrow())
                    .whenComplete((released, failed) -> {
                        if (failed != null) {
                            failure.compareAndSet(null, failed);
                        }
                        done.incrementAndGet();
                        places.release();
                    });
        }
        assertThat(places.tryAcquire(AT_A_TIME, 20, TimeUnit.SECONDS))
                .as("ends")
                .isTrue();
        assertThat(done).hasValue(names);
        assertThat(failure).hasNullValue();
    }
}
