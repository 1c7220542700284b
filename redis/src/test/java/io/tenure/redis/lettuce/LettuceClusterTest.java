package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.RedisClusterClient;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The binding on a cluster: where scripts go, and what they are told. */
class LettuceClusterTest {
    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    private static String url() {
        return cluster.uris().get(0).replace("redis://", "redis-cluster://") + "?timeout=10s";
    }

    @Test
    void leases_lie_on_all_primaries_and_are_listed_from_all() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url())) {
            String prefix = fresh("spread");
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String name = store.canonicalName(prefix + "-" + i);
                names.add(name);
                Claim held = hold(store, lock(claim(name, "a")));
                assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
            }
            assertThat(names.stream().map(cluster::slotOf).map(cluster::ownerOf).distinct())
                    .hasSize(3);
            assertThat(get(store.list("{" + prefix, 100)))
                    .extracting(record -> record.name())
                    .containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void law20_a_release_wakes_a_waiter_whichever_node_it_happens_on() {
        RedisClusterClient client = RedisClusterClient.create(cluster.uris().get(1));
        try (RedisLeaseStore store = RedisLeaseStore.connect(url());
                RedisLeaseStore other = LettuceStores.of(client)) {
            String prefix = fresh("wake");
            List<String> woken = new CopyOnWriteArrayList<>();
            for (int i = 0; i < 12; i++) {
                String name = store.canonicalName(prefix + i);
                Claim held = hold(store, lock(claim(name, "a")));
                Claim waiting = claim(name, "b");
                other.wakeups().await(name, waiting.incarnation(), after -> woken.add(name));
                await().until(() -> other.wakeups().isLive());
                denied(other, waiting(lock(waiting), Duration.ofSeconds(20)));
                woken.remove(name);

                release(store, held);

                await().until(() -> woken.contains(name));
            }
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }
}
