package io.tenure.redis.cases;

import static io.tenure.redis.cases.Bench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.TenureEvent.StoreWarning;
import io.tenure.TenureEvent.TokenRegressed;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.RedisStoreOptions;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SentinelGroup;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Law 6 across a change of the server: it is told, and tokens go on from the highest that anybody saw. */
class ServerChangeCasesTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @RegisterExtension
    final Bench bench = new Bench(redis);

    private static final Duration TTL = Duration.ofSeconds(2);

    private static void assertToldOnce(Electorate all, String... words) {
        for (Participant member : List.of(all.a, all.b)) {
            until("told of the change", () -> !member.events(StoreWarning.class).isEmpty());
            assertThat(member.events(StoreWarning.class))
                    .singleElement()
                    .satisfies(event -> assertThat(event.message()).contains(words));
        }
    }

    /** Counted tokens, so that no clock helps: what is left of them is in the memory of those who contend. */
    @Test
    void law06_a_server_that_comes_back_empty_is_told_once_and_counted_tokens_go_on_above_all_that_were_seen() {
        RedisStoreOptions counting =
                RedisStoreOptions.builder().tokens(TokenSource.COUNTER).build();
        Electorate all = new Electorate(bench, TTL, "", () -> {
            Participant member = bench.member(counting, builder -> builder);
            // What such a server means for counted tokens is told when the store is opened.
            until("warned", () -> !member.events(StoreWarning.class).isEmpty());
            assertThat(member.events(StoreWarning.class).get(0).message()).contains("appendonly=no", "counted tokens");
            return member;
        });
        for (int term = 0; term < 3; term++) {
            all.nextTerm();
        }
        long highest = all.highestToken();

        redis.stop();
        redis.start();

        until("a newer one leads", () -> all.highestToken() > highest);
        assertThat(all.highestToken()).isEqualTo(highest + 1);
        for (Participant member : List.of(all.a, all.b)) {
            until("told", () -> member.events(StoreWarning.class).size() == 2);
            assertThat(member.events(StoreWarning.class).get(1).message()).contains("was restarted", "no data at all");
        }
        until(
                "told of the tokens",
                () -> all.a.events(TokenRegressed.class).size()
                                + all.b.events(TokenRegressed.class).size()
                        == 1);
        all.assertHealed();
    }

    @Test
    void law27_a_dangerous_server_is_told_in_one_event_when_the_store_is_opened() {
        redis.cli().configSet("maxmemory", "64mb");
        redis.cli().configSet("maxmemory-policy", "volatile-ttl");
        try {
            Electorate all = new Electorate(bench, TTL);
            assertToldOnce(all, "maxmemory-policy=volatile-ttl", "noeviction");
            all.assertLocksWork();
            assertToldOnce(all, "maxmemory-policy=volatile-ttl");
        } finally {
            redis.cli().configSet("maxmemory-policy", "noeviction");
            redis.cli().configSet("maxmemory", "0");
        }
    }

    @Test
    @Tag("nightly")
    void law06_a_fail_over_is_told_once_and_tokens_rise_across_it() {
        try (SentinelGroup group = SentinelGroup.failingOver(1)) {
            group.open();
            RedisProcess old = group.primary();
            until(
                    "the replica has run for a while",
                    () -> group.replicas().stream()
                            .allMatch(replica -> Integer.parseInt(replica.info("uptime_in_seconds")) >= 3));
            Electorate all = new Electorate(bench, TTL, "", () -> bench.member(group.uri()));
            group.awaitInSync();

            old.stop();
            group.awaitFailover(old);

            assertToldOnce(all, "failed over to another server", "what had been replicated");
            all.assertHealed();
            List.of(all.a, all.b).forEach(bench::close);
        }
    }
}
