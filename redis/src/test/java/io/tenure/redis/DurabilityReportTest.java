package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.tenure.StoreException;
import io.tenure.TokenSource;
import io.tenure.redis.DurabilityReport.Grade;
import io.tenure.redis.lettuce.LettuceClients;
import io.tenure.redis.servers.RawConnection;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ReplicaGroup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.UnifiedJedis;

/** The whole text of the report, from real servers; what differs from run to run and between versions is masked. */
class DurabilityReportTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
            no-persistence,
            snapshots,           --save 60 100
            aof-everysec,        --appendonly yes --appendfsync everysec
            aof-always,          --appendonly yes --appendfsync always
            aof-no,              --appendonly yes --appendfsync no
            noeviction,          --maxmemory 64mb
            allkeys-lru,         --maxmemory 64mb --maxmemory-policy allkeys-lru
            volatile-ttl,        --maxmemory 64mb --maxmemory-policy volatile-ttl
            allkeys-lru-unbound, --maxmemory-policy allkeys-lru
            """)
    void the_report_of_a_server_with_these_settings_reads_as_recorded(String recorded, String settings) {
        try (RedisProcess server = server(settings == null ? "" : settings)) {
            assertThat(report(server.uri(), RedisStoreOptions.defaults())).isEqualTo(recorded(recorded));
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            counted-no-persistence,
            counted-aof-everysec,   --appendonly yes --appendfsync everysec
            """)
    void counted_tokens_are_worth_what_the_server_keeps(String recorded, String settings) {
        RedisStoreOptions counting =
                RedisStoreOptions.builder().tokens(TokenSource.COUNTER).build();
        try (RedisProcess server = server(settings == null ? "" : settings)) {
            assertThat(report(server.uri(), counting)).isEqualTo(recorded(recorded));
        }
    }

    @Test
    void the_reports_of_a_replica_and_of_primaries_with_replicas_read_as_recorded() {
        try (ReplicaGroup group = new ReplicaGroup(1)) {
            group.open();
            assertThat(report(group.replica(0).uri(), RedisStoreOptions.defaults()))
                    .isEqualTo(recorded("replica"));
            assertThat(report(group.primary().uri(), RedisStoreOptions.defaults()))
                    .isEqualTo(recorded("replicas-without-min-replicas-to-write"));
            group.primary().cli("CONFIG", "SET", "min-replicas-to-write", "1");
            assertThat(report(group.primary().uri(), RedisStoreOptions.defaults()))
                    .isEqualTo(recorded("replicas-with-min-replicas-to-write"));
        }
    }

    @ParameterizedTest
    @CsvSource({"config-forbidden, -config", "all-forbidden, -config -info -time -cluster"})
    void what_the_server_does_not_let_this_user_see_is_unknown(String recorded, String without) {
        try (RedisProcess server = server("--appendonly yes --maxmemory 64mb --maxmemory-policy allkeys-lru");
                RawConnection admin = RawConnection.to(server.port())) {
            admin.call(("ACL SETUSER limited on >pw-of-it ~* &* +@all " + without).split(" "));

            String text =
                    report(server.uri().replace("redis://", "redis://limited:pw-of-it@"), RedisStoreOptions.defaults());

            assertThat(text).isEqualTo(recorded(recorded)).doesNotContain("pw-of-it");
        }
    }

    @Test
    void the_report_over_jedis_is_the_same() {
        try (RedisProcess server = server("--appendonly yes --appendfsync always");
                UnifiedJedis client = redis.clients.jedis.RedisClient.create(RedisProcess.HOST, server.port());
                RedisLeaseStore store = JedisStores.of(client)) {
            assertThat(masked(get(store.durability()))).isEqualTo(recorded("aof-always"));
        }
    }

    @Test
    void a_server_that_renamed_its_commands_is_unknown_too() {
        try (RedisProcess server = server("--rename-command CONFIG hidden --rename-command CLUSTER gone")) {
            DurabilityReport report = durability(server.uri());

            assertThat(report.findings())
                    .anySatisfy(finding -> {
                        assertThat(finding.setting()).isEqualTo("appendonly=no save=?");
                        assertThat(finding.grade()).isEqualTo(Grade.RISK);
                    })
                    .anySatisfy(finding -> {
                        assertThat(finding.setting()).isEqualTo("maxmemory=0 maxmemory-policy=noeviction");
                        assertThat(finding.grade()).isEqualTo(Grade.GOOD);
                    });
        }
    }

    @Test
    void a_node_of_a_cluster_that_is_taken_for_a_single_server_is_told() {
        try (RedisProcess server = server("--cluster-enabled yes")) {
            DurabilityReport report = durability(server.uri());

            assertThat(report.worst()).isEqualTo(Grade.DANGER);
            assertThat(report.findings())
                    .anySatisfy(finding -> assertThat(finding.setting()).isEqualTo("cluster_enabled=1"));
        }
    }

    @Test
    void a_binding_that_cannot_look_makes_a_report_of_nothing_but_unknown() {
        try (RedisProcess server = server("");
                RedisPort port = LettuceClients.connect(server.uri());
                RedisLeaseStore store =
                        RedisLeaseStore.over(BentPort.without("inspect", port), RedisStoreOptions.defaults())) {
            DurabilityReport report = get(store.durability());

            assertThat(report.findings()).hasSizeGreaterThan(4).allSatisfy(finding -> {
                assertThat(finding.grade()).isEqualTo(Grade.UNKNOWN);
                assertThat(finding.meaning()).contains("cannot look");
                assertThat(finding.server()).isEqualTo("127.0.0.1:" + server.port());
            });
        }
    }

    @Test
    void law27_a_primary_that_misses_its_replicas_is_refused_where_strict_is_asked_for() {
        try (RedisProcess server = server("--min-replicas-to-write 1")) {
            assertThat(failure(() -> RedisLeaseStore.connect(
                                    server.uri(),
                                    RedisStoreOptions.builder().strict().build())
                            .close()))
                    .hasMessageContaining("NOREPLICAS")
                    .matches(refusal -> !refusal.isTransient());
        }
    }

    @Test
    void law19_a_closed_store_looks_at_nothing_and_says_so() {
        try (RedisProcess server = server("");
                UnifiedJedis client = redis.clients.jedis.RedisClient.create(RedisProcess.HOST, server.port())) {
            for (RedisLeaseStore store : List.of(JedisStores.of(client), RedisLeaseStore.connect(server.uri()))) {
                store.close();

                for (CompletionStage<?> look : List.of(store.durability(), store.list("", 10), store.find("x"))) {
                    assertThat(failure(() -> get(look)))
                            .hasMessageContaining("is closed")
                            .matches(refusal -> !refusal.isTransient());
                }
            }
        }
    }

    @Test
    void law27_a_strict_store_over_a_port_that_cannot_look_is_refused_for_good_and_says_so() {
        try (RedisProcess server = server("");
                RedisPort port = LettuceClients.connect(server.uri())) {
            RedisStoreOptions strict = RedisStoreOptions.builder().strict().build();

            StoreException refusal = failure(() -> RedisLeaseStore.over(BentPort.without("inspect", port), strict));

            assertThat(refusal.isTransient()).isFalse();
            assertThat(refusal)
                    .hasMessageContaining("127.0.0.1:" + server.port())
                    .hasMessageContaining("strict, which cannot be kept")
                    .hasMessageContaining("inspect");
        }
    }

    @Test
    void law27_a_strict_store_opens_where_the_server_lets_this_user_see_nothing() {
        try (RedisProcess server = server("--maxmemory 64mb --maxmemory-policy allkeys-lru");
                RawConnection admin = RawConnection.to(server.port())) {
            admin.call("ACL SETUSER limited on >pw-of-it ~* &* +@all -config -info -time -cluster".split(" "));
            RedisStoreOptions strict = RedisStoreOptions.builder().strict().build();

            try (RedisLeaseStore store =
                    RedisLeaseStore.connect(server.uri().replace("redis://", "redis://limited:pw-of-it@"), strict)) {
                assertThat(get(store.durability()).worst()).isEqualTo(Grade.UNKNOWN);
            }
        }
    }

    @Test
    void a_server_that_is_gone_is_a_failure_that_passes_and_not_an_unknown() {
        try (RedisProcess server = server("");
                RedisLeaseStore store = RedisLeaseStore.connect(server.uri())) {
            server.stop();

            StoreException failure = failure(() -> get(store.durability()));

            assertThat(failure.isTransient()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--maxmemory 64mb --maxmemory-policy volatile-ttl, maxmemory-policy=volatile-ttl",
        "--cluster-enabled yes,                            cluster_enabled=1"
    })
    void law27_a_strict_store_refuses_a_dangerous_server_for_good_naming_what_it_found(String settings, String named) {
        RedisStoreOptions strict = RedisStoreOptions.builder().strict().build();
        try (RedisProcess server = server(settings)) {
            StoreException refusal =
                    failure(() -> RedisLeaseStore.connect(server.uri(), strict).close());

            assertThat(refusal.isTransient()).isFalse();
            assertThat(refusal).hasMessageContaining(named).hasMessageContaining("127.0.0.1:" + server.port());
            try (RedisClient client = RedisClient.create(server.uri())) {
                assertThat(failure(() -> LettuceStores.of(client, strict).close()))
                        .hasMessageContaining(named);
            }
            // No connection stays: only the one that asks.
            Awaitility.await().until(() -> server.cli("CLIENT", "LIST").lines().count() == 1);
        }
    }

    @Test
    void law27_a_strict_store_opens_where_nothing_is_lost_in_ordinary_operation() {
        RedisStoreOptions strict = RedisStoreOptions.builder().strict().build();
        try (RedisProcess server = server("--maxmemory 64mb");
                RedisLeaseStore store = RedisLeaseStore.connect(server.uri(), strict)) {
            assertThat(hold(store, lock(claim("job", "a"))).token()).isPositive();
        }
    }

    @Test
    void law27_a_strict_store_on_a_server_that_does_not_answer_is_given_up_in_time_and_may_be_tried_again() {
        RedisStoreOptions strict = RedisStoreOptions.builder().strict().build();
        try (RedisProcess server = server("")) {
            try (RedisPort port = LettuceClients.connect(server.uri() + "?timeout=300ms")) {
                server.pause();

                StoreException refusal = failure(() -> RedisLeaseStore.over(port, strict));

                assertThat(refusal.isTransient()).isTrue();
                assertThat(refusal).hasMessageContaining("127.0.0.1:" + server.port());
            } finally {
                server.resume();
            }
        }
    }
    /** The port with what {@code inspect} does by default, as one that was written before there was this method. */
    private static RedisProcess server(String settings) {
        String[] words = settings.isEmpty() ? new String[0] : settings.split(" ");
        RedisProcess server = RedisProcess.of(words);
        server.start();
        return server;
    }

    private static DurabilityReport durability(String uri) {
        try (RedisLeaseStore store = RedisLeaseStore.connect(uri)) {
            return get(store.durability());
        }
    }

    private static String report(String uri, RedisStoreOptions options) {
        try (RedisLeaseStore store = RedisLeaseStore.connect(uri, options)) {
            return masked(get(store.durability()));
        }
    }

    private static String masked(DurabilityReport report) {
        return report.toString()
                .replaceAll("127.0.0.1:\\d+", "SERVER")
                .replaceAll("(redis|valkey)_version=[0-9.]+", "VERSION")
                .replaceAll("TIME=20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "TIME=NOW");
    }

    private static String recorded(String name) {
        try (InputStream file = DurabilityReportTest.class.getResourceAsStream("durability/" + name + ".txt")) {
            return file == null ? name + ".txt is missing" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
