package io.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.NotAcknowledgedException;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ReplicaGroup;
import io.tenure.spi.Acquisition;
import io.tenure.testkit.net.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A primary with two replicas for the tests of a class, what those do with them, and ask them. After each test all links are
 * mended, and the stores closed that were opened here.
 */
final class Replicas implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    static final Duration TIMEOUT = Duration.ofMillis(400);
    static final RedisStoreOptions BOTH =
            RedisStoreOptions.builder().minReplicas(2, TIMEOUT).build();

    private final ReplicaGroup group = new ReplicaGroup(2);
    private final List<RedisLeaseStore> stores = new ArrayList<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        group.beforeAll(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        mend();
        stores.forEach(RedisLeaseStore::close);
        stores.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        group.afterAll(context);
    }

    ReplicaGroup group() {
        return group;
    }

    /** A store whose grants both have to acknowledge. */
    RedisLeaseStore store() {
        RedisLeaseStore store = RedisLeaseStore.connect(group.primary().uri(), BOTH);
        stores.add(store);
        return store;
    }

    /** From now on replicas hear nothing, and the primary does not know. */
    void holdBack() {
        for (int i = 0; i < 2; i++) {
            group.link(i).hold(Direction.TO_SERVER);
            group.link(i).hold(Direction.TO_CLIENT);
        }
    }

    void letGo() {
        for (int i = 0; i < 2; i++) {
            group.link(i).pass(Direction.TO_SERVER);
            group.link(i).pass(Direction.TO_CLIENT);
        }
    }

    private void mend() {
        letGo();
        group.joinLinks();
        group.awaitInSync();
    }

    static String leaseOn(RedisProcess server, String name) {
        return server.cli("GET", name + ":leader");
    }

    List<String> keysOf(String name) {
        return group.primary().cli("KEYS", name + ":*").lines().sorted().toList();
    }

    long connections() {
        return group.primary().cli("CLIENT", "LIST", "TYPE", "NORMAL").lines().count();
    }

    /** How many times the primary was asked to wait for replicas. */
    int waits() {
        String stats = group.primary().info("cmdstat_wait");
        return stats.isEmpty() ? 0 : Integer.parseInt(stats.replaceAll("calls=(\\d+),.*", "$1"));
    }

    static void assertNotAcknowledged(CompletionStage<Acquisition> attempt) {
        assertThatThrownBy(() -> StoreFixture.get(attempt))
                .isInstanceOfSatisfying(NotAcknowledgedException.class, e -> {
                    assertThat(e.wanted()).isEqualTo(2);
                    assertThat(e.acknowledged()).isZero();
                });
    }
}
