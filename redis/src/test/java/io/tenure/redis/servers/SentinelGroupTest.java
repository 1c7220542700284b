package io.tenure.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SentinelGroupTest {
    private final SentinelGroup group = SentinelGroup.failingOver(2);

    @BeforeEach
    void open() {
        group.open();
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void a_killed_primary_is_replaced_and_what_it_wrote_behind_cut_links_is_lost() {
        assertThat(group.uri()).matches("redis-sentinel://(127\\.0\\.0\\.1:\\d+,){2}127\\.0\\.0\\.1:\\d+#tenure-main");
        RedisProcess first = group.primary();
        first.cli("SET", "kept", "v");
        group.awaitInSync();

        group.cutLinks();
        first.cli("SET", "lost", "v");
        first.stop();
        RedisProcess second = group.awaitFailover(first);

        assertThat(second).isNotSameAs(first).isSameAs(group.primary());
        assertThat(group.replicas()).hasSize(2).contains(first);
        assertThat(second.cli("EXISTS", "kept")).isEqualTo("1");
        assertThat(second.cli("EXISTS", "lost")).isEqualTo("0");
    }

    @Test
    void a_paused_primary_still_takes_writes_when_it_is_resumed_after_it_was_replaced() {
        RedisProcess first = group.primary();

        first.pause();
        RedisProcess second = group.awaitFailover(first);
        first.resume();

        assertThat(first.cli("SET", "stale", "v")).isEqualTo("OK");
        assertThat(second.cli("EXISTS", "stale")).isEqualTo("0");
    }

    /** Sentinels leave a primary alone for some ten seconds before they make it a replica. */
    @Test
    @Tag("nightly")
    void a_replaced_primary_that_comes_back_follows_and_loses_what_it_took_in_between() {
        RedisProcess first = group.primary();
        first.pause();
        RedisProcess second = group.awaitFailover(first);
        first.resume();
        first.cli("SET", "stale", "v");

        group.awaitInSync();

        assertThat(second).isSameAs(group.primary());
        assertThat(first.info("role")).isEqualTo("slave");
        assertThat(first.cli("EXISTS", "stale")).isEqualTo("0");
    }

    @Test
    void a_primary_that_is_up_is_replaced_when_sentinels_are_told_to() {
        RedisProcess first = group.primary();

        RedisProcess second = group.failOver();

        assertThat(second).isNotSameAs(first);
        assertThat(second.cli("SET", "k", "v")).isEqualTo("OK");
    }
}
