package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.cluster.RedisClusterClient;
import io.tenure.NotAcknowledgedException;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RawConnection;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;

/** Replicas that have to acknowledge, on a cluster: those of the node that keeps the lease, by every client. */
class ClusterAcknowledgementTest {
    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final RedisStoreOptions ONE =
            RedisStoreOptions.builder().minReplicas(1, TIMEOUT).build();

    @RegisterExtension // no fail-over, however busy the machine is
    static final ClusterGroup cluster = ClusterGroup.failingOver("--cluster-node-timeout", "30000");

    @AfterEach
    void mend() {
        cluster.joinLinks();
        cluster.awaitOk();
    }

    enum Binding {
        LETTUCE {
            @Override
            void with(Consumer<RedisLeaseStore> work) {
                String url = cluster.uris().get(0).replace("redis://", "redis-cluster://");
                try (RedisLeaseStore store = RedisLeaseStore.connect(url, ONE)) {
                    work.accept(store);
                }
            }
        },
        GIVEN_LETTUCE {
            @Override
            void with(Consumer<RedisLeaseStore> work) {
                RedisClusterClient client =
                        RedisClusterClient.create(cluster.uris().get(0));
                try (RedisLeaseStore store = LettuceStores.of(client, ONE)) {
                    work.accept(store);
                } finally {
                    client.shutdown(0, 2, TimeUnit.SECONDS);
                }
            }
        },
        JEDIS {
            @Override
            void with(Consumer<RedisLeaseStore> work) {
                ConnectionPoolConfig pool = new ConnectionPoolConfig();
                pool.setMaxTotal(16);
                try (UnifiedJedis client = redis.clients.jedis.RedisClusterClient.builder()
                                .nodes(Set.of(new HostAndPort(
                                        RedisProcess.HOST,
                                        cluster.nodes().get(0).port())))
                                .clientConfig(DefaultJedisClientConfig.builder()
                                        .socketTimeoutMillis(2_000)
                                        .build())
                                .poolConfig(pool)
                                .build();
                        RedisLeaseStore store = JedisStores.of(client, ONE)) {
                    work.accept(store);
                }
            }
        };

        abstract void with(Consumer<RedisLeaseStore> work);
    }

    private static String onReplicaOf(RedisProcess primary, String key) {
        RedisProcess replica = cluster.replicasOf(primary).get(0);
        try (RawConnection connection = RawConnection.to(replica.port())) {
            connection.call("READONLY");
            return connection.call("GET", key);
        }
    }

    private static RedisProcess ownerOf(String key) {
        return cluster.ownerOf(cluster.slotOf(key));
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void a_lease_that_was_granted_is_on_the_replica_of_its_node(Binding binding) {
        binding.with(store -> {
            for (int i = 0; i < 12; i++) {
                String name = store.canonicalName(fresh("job"));
                Claim held = hold(store, lock(claim(name, "a")));

                assertThat(onReplicaOf(ownerOf(name), name + ":leader")).isEqualTo(LeaseValue.of(held));
                acknowledged(() -> {
                    store.fence(name).acknowledged(1, TIMEOUT).set(held.token(), name + ":state", "v");
                    return held;
                });
                assertThat(onReplicaOf(ownerOf(name), name + ":state")).isEqualTo("v");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void law17_only_the_replicas_of_its_own_node_count(Binding binding) {
        binding.with(store -> {
            String name = store.canonicalName(fresh("job"));
            RedisProcess owner = ownerOf(name);
            Claim held = hold(store, lock(claim(name + "-held", "a")));
            cluster.cutLinks(owner);

            assertThatThrownBy(() -> granted(store, lock(claim(name, "a"))))
                    .isInstanceOfSatisfying(
                            NotAcknowledgedException.class,
                            e -> assertThat(e.acknowledged()).isZero());
            assertThat(get(store.find(name))).isEmpty();
            assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);

            cluster.joinLinks();
            cluster.awaitOk();
            hold(store, lock(claim(name, "a")));
        });
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void a_lease_whose_slot_has_moved_is_acknowledged_by_the_replica_of_its_new_node(Binding binding) {
        binding.with(store -> {
            String name = store.canonicalName(fresh("job"));
            Claim first = hold(store, lock(claim(name, "a")));
            RedisProcess owner = ownerOf(name);
            RedisProcess other = cluster.primaries().stream()
                    .filter(node -> node != owner)
                    .findFirst()
                    .orElseThrow();
            cluster.moveSlot(cluster.slotOf(name), other);
            cluster.cutLinks(owner);

            store.fence(name).acknowledged(1, TIMEOUT).set(first.token(), name + ":state", "v");

            assertThat(onReplicaOf(other, name + ":state")).isEqualTo("v");
        });
    }
}
