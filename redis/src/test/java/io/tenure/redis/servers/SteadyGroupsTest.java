package io.tenure.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Groups for tests that fail nothing over: a machine that stands still for seconds changes nothing. */
@Tag("nightly")
final class SteadyGroupsTest {
    private static final Duration LONGER_THAN_OTHERS_BEAR = Duration.ofSeconds(4);

    @RegisterExtension
    static final SentinelGroup SENTINELS = SentinelGroup.steady();

    @RegisterExtension
    static final ClusterGroup CLUSTER = ClusterGroup.steady();

    @Test
    void primaries_that_are_paused_for_seconds_stay_primaries() throws InterruptedException {
        RedisProcess watched = SENTINELS.primary();
        RedisProcess node = CLUSTER.ownerOf(0);
        watched.pause();
        node.pause();
        Thread.sleep(LONGER_THAN_OTHERS_BEAR.toMillis());
        watched.resume();
        node.resume();

        SENTINELS.awaitInSync();
        CLUSTER.awaitOk();
        assertThat(SENTINELS.primary()).isSameAs(watched);
        assertThat(CLUSTER.ownerOf(0)).isSameAs(node);
        assertThat(CLUSTER.nodes()).hasSize(3);
        assertThat(watched.info("role")).isEqualTo("master");
        assertThat(node.cli("CLUSTER", "INFO")).contains("cluster_state:ok");
    }
}
