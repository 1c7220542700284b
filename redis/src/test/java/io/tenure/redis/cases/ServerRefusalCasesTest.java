package io.tenure.redis.cases;

import static io.tenure.redis.StoreFixture.get;
import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.HeldLock;
import io.tenure.StoreException;
import io.tenure.TenureEvent.StoreWarning;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.servers.RawConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Laws 23 and 27 on a server that refuses writes for a while. */
class ServerRefusalCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(1);
    /** Outlasts what a busy machine may pause. */
    private static final Duration STEADY = Duration.ofSeconds(3);

    private void configure(String name, String value) {
        redis.cli().configSet(name, value);
    }

    /** The server refuses, transiently; nobody leads any more; it does so for a while; it is mended. */
    private void passes(Electorate all, String words, Runnable mend) {
        StoreException refusal = all.awaitRefusal(words);
        assertThat(refusal.isTransient()).isTrue();
        long since = System.nanoTime();
        all.awaitNobodyLeads();
        Bench.pause(TTL);
        all.assertNoStorm(Duration.ofNanos(System.nanoTime() - since).plus(TTL));
        mend.run();
        all.assertHealed();
    }

    @Test
    void law27_a_full_memory_costs_no_lease_lets_releases_pass_and_lets_waiters_in_when_there_is_room_again()
            throws InterruptedException {
        Electorate all = new Electorate(bench, STEADY);
        String name = bench.name("held");
        HeldLock held = all.a.tenure.lock(name).acquire();

        configure("maxmemory", "1");
        StoreException refusal = all.awaitRefusal("OOM");
        assertThat(refusal.isTransient()).isTrue();
        assertThat(all.b.tenure.lock(name).tryAcquire()).isEmpty();
        held.release();
        assertThat(bench.isFree(name)).isTrue();
        CompletionStage<Optional<HeldLock>> waiting = all.b.tenure.lock(name).tryAcquireAsync(Duration.ofSeconds(20));
        Bench.pause(STEADY);
        all.assertUndisturbed();

        configure("maxmemory", "0");
        get(waiting).orElseThrow().release();
        all.assertHealed();
        assertThat(all.leader.token()).hasValue(all.token);
    }

    @Test
    void law23_a_server_that_cannot_save_is_tried_at_a_slowing_pace_until_it_can() throws IOException {
        Electorate all = new Electorate(bench, TTL);
        // A folder of that name is what no file can be moved to, whoever the server runs as.
        Path file = redis.folder().resolve("dump.rdb");
        Files.createDirectories(file.resolve("in-the-way"));
        configure("save", "3600 1000000");
        save("err");

        passes(all, "MISCONF", () -> {
            try {
                Files.delete(file.resolve("in-the-way"));
                Files.delete(file);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            save("ok");
            configure("save", "");
        });
    }

    private void save(String outcome) {
        redis.cli().bgsave();
        until(
                "saving is " + outcome,
                () -> redis.cli().info("persistence").contains("rdb_last_bgsave_status:" + outcome));
    }

    @Test
    void law23_a_primary_without_the_replicas_that_it_needs_is_tried_until_it_has_them() {
        Electorate all = new Electorate(bench, TTL);
        configure("min-replicas-to-write", "1");

        passes(all, "NOREPLICAS", () -> configure("min-replicas-to-write", "0"));
    }

    @Test
    void law23_a_server_that_is_busy_with_a_script_is_tried_until_it_is_done() {
        Electorate all = new Electorate(bench, TTL);
        configure("lua-time-limit", "50");
        try (RawConnection looping = RawConnection.to(redis.port())) {
            looping.send("EVAL", "while true do end", "0");

            passes(all, "BUSY", () -> redis.cli().scriptKill());
        }
    }

    @Test
    void law23_a_server_that_loads_its_data_is_tried_until_it_has_it() {
        Electorate all = new Electorate(bench, TTL);
        try (RawConnection loading = RawConnection.to(redis.port(), Bench.PATIENCE)) {
            // While it loads it looks at what others want every two megabytes.
            loading.call("DEBUG", "POPULATE", "200", "load", "200000");
            configure("rdbcompression", "no");
            configure("key-load-delay", "20000");
            loading.send("DEBUG", "RELOAD");

            passes(all, "LOADING", () -> assertThat(loading.receive()).containsExactly("OK"));
        } finally {
            configure("key-load-delay", "0");
            redis.cli().flushall();
        }
    }

    @Test
    void law27_a_server_that_is_made_a_replica_refuses_for_good_which_is_told_once_until_it_is_a_primary_again() {
        Electorate all = new Electorate(bench, TTL);
        // To nobody: it keeps its data.
        redis.cli().replicaof("127.0.0.1", 1);
        try {
            // At first it may have a successor, which is looked for.
            StoreException refusal = all.awaitRefusal("connect to its primary");
            assertThat(refusal.isTransient()).isFalse();
            assertThat(refusal).hasMessageContaining("READONLY");
            all.awaitNobodyLeads();
            all.assertToldOnce("READONLY");
            until("the role is told", () -> !all.a.events(StoreWarning.class).isEmpty());
            Bench.pause(TTL.multipliedBy(2));
            all.assertToldOnce("READONLY");
            assertThat(all.a.events(StoreWarning.class))
                    .singleElement()
                    .satisfies(event -> assertThat(event.message()).contains("role=slave"));
        } finally {
            redis.cli().replicaofNoOne();
        }
        all.assertHealed();
        all.assertToldOnce("READONLY");
    }
}
