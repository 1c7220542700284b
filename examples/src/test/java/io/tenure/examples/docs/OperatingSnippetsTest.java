package io.tenure.examples.docs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.Elector;
import io.tenure.EndReason;
import io.tenure.HeldLock;
import io.tenure.LeaseRecord;
import io.tenure.LockOptions;
import io.tenure.StaleTokenException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.TenureObserver;
import io.tenure.TokenSource;
import io.tenure.examples.LocalRedis;
import io.tenure.redis.DurabilityReport;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of docs/operating.md. */
class OperatingSnippetsTest {
    @RegisterExtension
    static final LocalRedis redis = new LocalRedis();

    private final List<String> pages = new CopyOnWriteArrayList<>();
    private final List<TenureEvent> log = new CopyOnWriteArrayList<>();

    // tag::observer
    void onEvent(TenureEvent event) {
        log.add(event); // all of them: they are few, and records print themselves
        if (event instanceof TenureEvent.LeaseLost lost) {
            page(lost.name() + " lost: " + lost.reason());
        } else if (event instanceof TenureEvent.TokenRegressed || event instanceof TenureEvent.DuplicateHolder) {
            page(event.toString());
        }
    }
    // end::observer

    private static String server() {
        return redis.uri();
    }

    private void page(String text) {
        pages.add(text);
    }

    @Test
    void a_leader_is_found_and_removed_by_force() {
        RedisLeaseStore store = RedisLeaseStore.connect(
                redis.uri(),
                RedisStoreOptions.builder().tokens(TokenSource.COUNTER).build());
        TenureObserver observer = this::onEvent;
        try (Tenure tenure = Tenure.over(store).observer(observer).open()) {
            Elector elector = tenure.elector("scheduler");
            elector.campaign();
            long old = elector.token().orElseThrow();
            // tag::find
            Optional<LeaseRecord> leader = tenure.find("scheduler");
            List<LeaseRecord> all = tenure.list("sched", 100);
            // end::find
            assertThat(leader)
                    .hasValueSatisfying(seen -> assertThat(seen.token()).isEqualTo(old));
            assertThat(all).extracting(LeaseRecord::name).containsExactly("scheduler");

            String uri = redis.uri();
            // tag::evict
            RedisLeaseStore operator = RedisLeaseStore.connect(uri);
            Optional<LeaseRecord> seen =
                    operator.find("scheduler").toCompletableFuture().join();
            boolean ended = seen.isPresent()
                    && operator.evict(seen.get()).toCompletableFuture().join();
            operator.close();
            // end::evict
            assertThat(ended).isTrue();

            await().atMost(20, SECONDS).until(() -> elector.token().orElse(0) > old);
            assertThat(elector.token()).as("one was burnt").hasValue(old + 2);
            await().atMost(20, SECONDS).until(() -> pages.contains("scheduler lost: " + EndReason.FORCED));
            assertThat(catchStale(store, "scheduler", old)).isNotNull();
            assertThat(log).contains(new TenureEvent.SteppedDown("scheduler", old, EndReason.FORCED));
        }
    }

    @Test
    void a_leader_is_deposed_by_two_commands() {
        RedisLeaseStore store = RedisLeaseStore.connect(redis.uri());
        try (Tenure tenure = Tenure.over(store).observer(this::onEvent).open()) {
            Elector elector = tenure.elector("deposed");
            elector.campaign();
            long old = elector.token().orElseThrow();

            redis.cli().multi();
            redis.cli().del("deposed:leader");
            redis.cli().incr("deposed:fence");
            redis.cli().exec();

            assertThat(catchStale(store, "deposed", old)).isNotNull();
            await().atMost(20, SECONDS).until(() -> elector.token().orElse(0) > old + 1);
            assertThat(log)
                    .filteredOn(TenureEvent.SteppedDown.class::isInstance)
                    .containsExactly(new TenureEvent.SteppedDown("deposed", old, EndReason.FORCED));
        }
    }

    @Test
    void the_report_names_what_the_server_is_worth() {
        try (RedisLeaseStore redis = RedisLeaseStore.connect(server())) {
            // tag::durability
            DurabilityReport report = redis.durability().toCompletableFuture().join();
            System.out.println(report);
            // end::durability
            assertThat(report.worst()).isEqualTo(DurabilityReport.Grade.RISK);
            assertThat(report.toString()).contains("RISK     appendonly=no save=\"\"");
        }
    }

    @Test
    void the_rights_that_the_page_lists_are_enough() {
        String rules =
                "on >secret ~*:leader ~*:fence ~*:fence:applied ~*:waiters ~*:waiters:seen ~jobs:* resetchannels &tenure:wake:*"
                        + " +eval +evalsha +time +get +mget +set +mset +del +exists +pttl +pexpire +persist"
                        + " +zadd +zrem +zrank +zscore +zrange +zrangebyscore +publish +subscribe +scan +ping +hset";
        CommandArgs<String, String> args =
                new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add("leases");
        for (String rule : rules.split(" ")) {
            args.add(rule);
        }
        redis.cli().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
        String uri = redis.uri().replace("redis://", "redis://leases:secret@");

        RedisLeaseStore store = RedisLeaseStore.connect(uri);
        RedisLeaseStore other = RedisLeaseStore.connect(uri);
        try (Tenure first = Tenure.over(store).observer(this::onEvent).open();
                Tenure second = Tenure.over(other).observer(this::onEvent).open()) {
            Elector leader = first.elector("rights");
            leader.campaign();
            second.elector("rights").campaign();
            store.fence("rights").hset(leader.token().orElseThrow(), "jobs:rights", "status", "running");
            LockOptions brief =
                    LockOptions.ofTtl(Duration.ofSeconds(1)).renewed().build();
            HeldLock held = first.lock("rights-of-a-lock", brief).tryAcquire().orElseThrow();
            CompletionStage<Optional<HeldLock>> waiting =
                    second.lock("rights-of-a-lock", brief).tryAcquireAsync(Duration.ofSeconds(20));
            held.refresh();
            held.release();
            waiting.toCompletableFuture().join().orElseThrow().release();
            assertThat(first.list("rights", 10)).hasSize(1);
            leader.resign();
            await().atMost(20, SECONDS)
                    .until(() -> second.find("rights")
                            .filter(record -> record.holder().equals(second.holder()))
                            .isPresent());
        }

        assertThat(log)
                .noneMatch(event -> event instanceof TenureEvent.StoreWarning
                        || event instanceof TenureEvent.AttemptFailed
                        || event instanceof TenureEvent.RenewalFailed
                        || event instanceof TenureEvent.ReleaseFailed);
    }

    private static StaleTokenException catchStale(RedisLeaseStore store, String name, long token) {
        try {
            store.fence(name).set(token, "late", "x");
            return null;
        } catch (StaleTokenException refused) {
            return refused;
        }
    }
}
