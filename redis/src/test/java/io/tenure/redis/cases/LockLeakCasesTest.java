package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.tenure.HeldLock;
import io.tenure.LeaseLostException;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of what clients leave behind that are killed. */
class LockLeakCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    @RegisterExtension
    final Children children = new Children();

    private static final Duration TTL = Duration.ofSeconds(2);
    /** The shortest there is: twice the ttl. */
    private static final Duration RETENTION = TTL.multipliedBy(2);

    private static final int THREADS = 6;
    private static final Pattern CLIENT_ID = Pattern.compile("(?m)^id=(\\d+) ");
    /** Keys that would stay for ever, of whatever kind: all of a lock's end by themselves. */
    private static final String IMMORTAL =
            "local found = {} for _, key in ipairs(redis.call('KEYS', '*')) do if redis.call('PTTL', key) == -1 then"
                    + " found[#found + 1] = key end end return found";

    private final AtomicInteger cycles = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong lastUse = new AtomicLong();

    @Test
    void case25_5000_cycles_with_random_client_kills_leave_no_lock_without_a_ttl_and_in_the_end_no_key_at_all() {
        cyclesWithKills(5_000, 4);
    }

    @Test
    @Tag("nightly")
    void case25_50000_cycles_with_random_client_kills_leave_nothing_either() {
        cyclesWithKills(50_000, 40);
    }

    private void cyclesWithKills(int wanted, int processes) {
        List<String> names =
                IntStream.range(0, 20).mapToObj(i -> bench.name("job")).toList();
        AtomicBoolean over = new AtomicBoolean();
        List<Doing<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Participant member = bench.member(
                    RedisStoreOptions.builder().retention(RETENTION).build(), builder -> builder);
            Random random = new Random(i);
            all.add(Doing.of(() -> cycle(member, names, random, wanted)));
        }
        Doing<Integer> connections = Doing.of(() -> killConnections(over));
        Doing<Integer> samples = Doing.of(() -> sample(over));

        int inChildren = 0;
        Random random = new Random(25);
        for (int i = 0; i < processes; i++) {
            Child child = children.start(LockChild.class, redis.uri(), TTL.toMillis(), RETENTION.toMillis());
            child.hear("ready");
            child.tell("cycle", i, String.join(" ", names));
            child.hear("cycle", 20);
            Bench.pause(Duration.ofMillis(random.nextInt(200)));
            child.kill();
            inChildren += child.heard("cycle").size();
        }
        long killed = System.nanoTime();
        all.forEach(Doing::result);
        over.set(true);

        assertThat(samples.result()).as("samples").isGreaterThan(100);
        assertThat(cycles.get() + inChildren).isGreaterThanOrEqualTo(wanted);
        assertThat(connections.result()).as("connections killed").isGreaterThan(20);
        assertThat(failures.get()).as("calls that failed by it").isPositive();
        until("all locks are gone", () -> redis.cli().keys("*:leader").isEmpty());
        assertThat(Duration.ofNanos(System.nanoTime() - Math.max(killed, lastUse.get())))
                .as("at most a ttl after the last kill")
                .isLessThan(TTL.plus(bench.late()));
        until("everything is gone", () -> redis.cli().dbsize() == 0);
        assertThat(Duration.ofNanos(System.nanoTime() - Math.max(killed, lastUse.get())))
                .as("at most the retention after the last use, and an eighth of it more")
                .isLessThan(RETENTION.multipliedBy(9).dividedBy(8).plus(bench.late()));
    }

    private boolean cycle(Participant member, List<String> names, Random random, int wanted)
            throws InterruptedException {
        while (cycles.get() < wanted) {
            String name = names.get(random.nextInt(names.size()));
            Duration patience = Duration.ofMillis(random.nextInt(10) == 0 ? 50 : 0);
            try {
                Optional<HeldLock> got =
                        member.tenure.lock(name, LockOptions.ofTtl(TTL).build()).tryAcquire(patience);
                if (got.isPresent()) {
                    cycles.incrementAndGet();
                    got.get().release();
                }
            } catch (StoreException | LeaseLostException e) {
                // Its connection was killed: what it asked for may have been done, or not.
                failures.incrementAndGet();
                Bench.pause(Duration.ofMillis(5));
            }
            lastUse.set(System.nanoTime());
        }
        return true;
    }

    /** Kills one connection after another, whosever it is but the test's own. */
    private int killConnections(AtomicBoolean over) {
        Random random = new Random(5);
        int kills = 0;
        while (!over.get()) {
            List<Long> ids = CLIENT_ID
                    .matcher(redis.cli().clientList())
                    .results()
                    .map(match -> Long.parseLong(match.group(1)))
                    .toList();
            kills += redis.cli()
                    .clientKill(KillArgs.Builder.id(ids.get(random.nextInt(ids.size())))
                            .skipme());
            Bench.pause(Duration.ofMillis(20 + random.nextInt(100)));
        }
        return kills;
    }

    private int sample(AtomicBoolean over) {
        int samples = 0;
        while (!over.get()) {
            List<String> immortal = redis.cli().eval(IMMORTAL, ScriptOutputType.MULTI);
            assertThat(immortal).as("keys without a ttl").isEmpty();
            samples++;
            Bench.pause(Duration.ofMillis(5));
        }
        return samples;
    }
}
