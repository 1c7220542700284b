package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.tenure.NotAcknowledgedException;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.examples.LocalRedis;
import io.tenure.redis.DurabilityReport;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisStoreOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of docs/stores/redis.md. */
class RedisSnippetsTest {
    @RegisterExtension
    static final LocalRedis redis = new LocalRedis();

    @Test
    void a_server_is_looked_at() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(redis.uri())) {
            // tag::durability
            DurabilityReport report = store.durability().toCompletableFuture().join();
            System.out.println(report); // server by server: the grade, what was read, what it means, what to set
            // end::durability
            assertThat(report.worst()).isEqualTo(DurabilityReport.Grade.RISK); // it keeps nothing on disk
        }
    }

    @Test
    void a_store_asks_for_more() {
        // tag::options
        RedisStoreOptions careful = RedisStoreOptions.builder()
                .strict() // refuses a server that loses leases in ordinary operation
                .minReplicas(1, Duration.ofMillis(250)) // a grant counts once a replica has it
                .build();
        // end::options
        try (Tenure tenure =
                Tenure.over(RedisLeaseStore.connect(redis.uri(), careful)).open()) {
            // This one has no replica at all.
            assertThatThrownBy(() -> tenure.lock("orders").tryAcquire()).isInstanceOf(NotAcknowledgedException.class);
            assertThat(redis.cli().exists("orders:leader")).isZero();
        }
    }

    @Test
    void a_client_of_lettuce_asks_nodes_for_their_cluster() {
        List<RedisURI> nodes = List.of(RedisURI.create(redis.uri()));
        // tag::lettuce-cluster
        nodes.forEach(node -> node.setTimeout(Duration.ofSeconds(2))); // how long a command waits; 60 s unless set
        RedisClusterClient client = RedisClusterClient.create(nodes);
        client.setOptions(ClusterClientOptions.builder()
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofSeconds(2))
                        .build())
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(Duration.ofSeconds(30))
                        .build())
                .build());
        // end::lettuce-cluster
        assertThatThrownBy(() -> LettuceStores.of(client).close())
                .as("the server is no node of a cluster")
                .isInstanceOf(StoreException.class);
        client.shutdown();
    }
}
