package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TokenSource;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a store tells of servers that change, by what they answer; real ones: {@code ServerChangeCasesTest}. */
class ServerWatchTest {
    private static final String NONE = "0".repeat(40);
    private static final String TIME = "1796022464";

    private final Answers port = new Answers();
    private final List<TenureEvent> events = new ArrayList<>();

    private RedisLeaseStore open(String... info) {
        port.answer(info);
        RedisLeaseStore store = RedisLeaseStore.over(port, RedisStoreOptions.defaults());
        store.listen(events::add);
        return store;
    }

    private void returns(String... info) {
        port.answer(info);
        port.onReturn.run();
    }

    private String told() {
        assertThat(events).singleElement().isInstanceOf(TenureEvent.StoreWarning.class);
        return ((TenureEvent.StoreWarning) events.remove(0)).message();
    }

    @Test
    void law27_a_server_that_answers_as_before_is_no_news() {
        open("run_id:a", "db0:keys=1");

        returns("run_id:a");
        returns("run_id:a", "db0:keys=2");

        assertThat(events).isEmpty();
    }

    @Test
    void law06_a_restarted_server_is_told_once_with_what_it_has_kept() {
        open("run_id:a", "db0:keys=1", "uptime_in_seconds:500");

        // Its clock may just have struck: one second is no proof that it ran before.
        returns("run_id:b", "db0:keys=1", "uptime_in_seconds:1");
        assertThat(told())
                .contains("was restarted", "run_id a, now b", "on disk")
                .doesNotContain("no data at all");
        returns("run_id:b", "db0:keys=1");
        assertThat(events).isEmpty();

        returns("run_id:c");
        assertThat(told()).contains("was restarted", "no data at all");
    }

    @Test
    void law06_a_server_that_loads_is_not_taken_for_an_empty_one() {
        open("run_id:a", "db0:keys=1");

        returns("run_id:b", "loading:1");

        assertThat(told()).contains("was restarted", "on disk");
    }

    @Test
    void law06_another_server_at_the_same_place_is_told_with_whose_data_it_has() {
        open("run_id:a", "master_replid:x", "db0:keys=1");

        returns("run_id:b", "master_replid:y", "master_replid2:x", "uptime_in_seconds:500", "db0:keys=1");
        assertThat(told()).contains("failed over to another server", "what had been replicated");

        returns("run_id:c", "master_replid:z", "uptime_in_seconds:500", "db0:keys=1");
        assertThat(told()).contains("failed over to another server", "other data");
    }

    @Test
    void law06_a_primary_that_was_a_replica_meanwhile_is_told() {
        open("run_id:a", "master_replid:x", "db0:keys=1");

        returns("run_id:a", "master_replid:z", "master_replid2:y", "db0:keys=1");

        assertThat(told()).contains("master_replid x, now z", "another server's");
    }

    /** It draws a new id for its first replica, and when the last one is long gone; its data is the same. */
    @Test
    void law06_a_primary_that_begins_a_new_history_by_itself_is_no_news() {
        open("run_id:a", "master_replid:x", "db0:keys=1");

        returns("run_id:a", "master_replid:y", "db0:keys=1");

        assertThat(events).isEmpty();
    }

    @Test
    void law27_what_is_dangerous_is_told_at_the_start_and_again_only_after_it_was_mended() {
        open("run_id:a", "maxmemory:64", "maxmemory_policy:allkeys-lru");
        assertThat(told()).contains("maxmemory-policy=allkeys-lru", "noeviction");

        returns("run_id:a", "maxmemory:64", "maxmemory_policy:allkeys-lru");
        assertThat(events).isEmpty();

        returns("run_id:a", "maxmemory:64", "maxmemory_policy:noeviction");
        returns("run_id:a", "maxmemory:64", "maxmemory_policy:allkeys-lru");
        assertThat(told()).contains("maxmemory-policy=allkeys-lru");
    }

    @Test
    void law27_risks_and_what_is_unknown_are_told_by_the_report_only() {
        RedisLeaseStore store = open("run_id:a", "aof_enabled:0", "connected_slaves:1");
        assertThat(events).isEmpty();
        assertThat(get(store.durability()).worst()).isEqualTo(DurabilityReport.Grade.RISK);
    }

    @Test
    void law27_a_server_that_tells_nothing_of_itself_is_asked_with_its_connection_only_and_never_told_of() {
        open();
        returns();
        returns("run_id:b");

        assertThat(events).isEmpty();
        assertThat(port.looks).isEqualTo(3);
    }

    @Test
    void law06_a_look_that_fails_is_made_up_for_with_a_later_call() {
        port.failure = StoreException.passing("gone");
        RedisLeaseStore store = open("run_id:a", "db0:keys=1");
        port.failure = null;

        assertThat(port.looks).isEqualTo(1);
        await().pollInSameThread().until(() -> {
            store.acquire(lock(claim("job", "a")));
            return port.looks == 2;
        });
        returns("run_id:b");
        assertThat(told()).contains("was restarted");
    }

    @Test
    void law06_a_call_that_fails_has_the_next_one_look() {
        RedisLeaseStore store = open("run_id:a", "db0:keys=1");
        port.answer("run_id:b");
        assertThat(port.looks).isEqualTo(1);

        port.script = CompletableFuture.failedFuture(StoreException.permanent("READONLY"));
        await().pollInSameThread().until(() -> {
            store.acquire(lock(claim("job", "a")));
            return port.looks == 2;
        });

        assertThat(told()).contains("was restarted");
    }

    @Test
    void law06_an_attempt_or_a_renewal_that_is_given_up_has_the_next_call_look() {
        assertLooksAfterGivingUp(store -> store.acquire(lock(claim("job", "a"))));
        assertLooksAfterGivingUp(store -> store.renew(
                        List.of(new RenewRequest(claim("job", "a").withToken(1), LeaseKind.LOCK, TTL)))
                .get(0));
    }

    private void assertLooksAfterGivingUp(Function<RedisLeaseStore, CompletionStage<?>> call) {
        port.looks = 0;
        RedisLeaseStore store = open("run_id:a", "db0:keys=1");
        assertThat(port.looks).isEqualTo(1);

        await().pollInSameThread().until(() -> {
            port.script = new CompletableFuture<>(); // giving up cancels it
            call.apply(store).toCompletableFuture().cancel(false);
            return port.looks == 2;
        });
    }

    @Test
    void law19_a_store_that_nobody_listens_to_asks_nothing() {
        try (RedisLeaseStore store = RedisLeaseStore.over(
                port, RedisStoreOptions.builder().tokens(TokenSource.COUNTER).build())) {
            returns("run_id:a");
            store.acquire(lock(claim("job", "a")));
        }
        assertThat(port.looks).isZero();
    }

    @Test
    void clocks_that_differ_or_are_far_off_are_a_risk() {
        Map<List<String>, List<DurabilityReport.Grade>> grades = Map.of(
                List.of(TIME, "1796022523"), List.of(DurabilityReport.Grade.GOOD, DurabilityReport.Grade.GOOD),
                List.of(TIME, "1796022525"), List.of(DurabilityReport.Grade.GOOD, DurabilityReport.Grade.RISK),
                List.of("1577836799"), List.of(DurabilityReport.Grade.RISK),
                List.of("4503599628"), List.of(DurabilityReport.Grade.RISK));
        RedisLeaseStore store = open("run_id:a");

        grades.forEach((clocks, expected) -> {
            port.clocks = clocks;
            assertThat(get(store.durability()).findings())
                    .filteredOn(finding -> finding.setting().startsWith("TIME"))
                    .extracting(DurabilityReport.Finding::grade)
                    .isEqualTo(expected);
        });
    }

    /** A port over servers that answer INFO and TIME as they are told to, and refuse all other commands. */
    private static final class Answers implements RedisPort {
        CompletionStage<RedisReply> script = new CompletableFuture<>();
        List<String> clocks = List.of(TIME);
        StoreException failure;
        Runnable onReturn = () -> {};
        int looks;
        private String info = "";

        /** What INFO says from now on; nothing without a line. */
        void answer(String... lines) {
            Map<String, String> fields = new TreeMap<>(Map.of(
                    "loading", "0",
                    "role", "master",
                    "master_replid", "r",
                    "master_replid2", NONE,
                    "uptime_in_seconds", "0"));
            Arrays.stream(lines).forEach(line -> fields.put(line.split(":")[0], line.split(":")[1]));
            StringBuilder text = new StringBuilder("# Server\r\n");
            fields.forEach((field, value) ->
                    text.append(field).append(':').append(value).append("\r\n"));
            info = lines.length == 0 ? "" : text.toString();
        }

        /** As many servers as clocks. */
        @Override
        public CompletionStage<List<Inspection>> inspect(List<List<String>> commands) {
            looks++;
            List<Inspection> all = new ArrayList<>();
            for (String clock : clocks) {
                all.add(new Inspection(
                        "server" + all.size(),
                        commands.stream()
                                .map(command -> reply(command.get(0), clock))
                                .toList()));
            }
            return CompletableFuture.completedFuture(all);
        }

        private CompletionStage<RedisReply> reply(String command, String clock) {
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            if (command.equals("INFO") && !info.isEmpty()) {
                return CompletableFuture.completedFuture(RedisReply.of(info));
            }
            if (command.equals("TIME")) {
                return CompletableFuture.completedFuture(RedisReply.of(List.of(clock, "0")));
            }
            return CompletableFuture.failedFuture(RedisErrors.ofReply("NOPERM no"));
        }

        @Override
        public CompletionStage<RedisReply> run(RedisScript called, byte[][] keys, byte[]... args) {
            return script;
        }

        @Override
        public CompletionStage<List<byte[]>> keys(byte[] pattern) {
            return new CompletableFuture<>();
        }

        @Override
        public void subscribe(String channel, Subscriber subscriber) {}

        @Override
        public void onReturn(Runnable action) {
            Runnable before = onReturn;
            onReturn = () -> {
                before.run();
                action.run();
            };
        }

        @Override
        public boolean isCluster() {
            return false;
        }

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(2);
        }

        @Override
        public void close() {}
    }
}
