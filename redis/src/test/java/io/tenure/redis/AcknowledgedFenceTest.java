package io.tenure.redis;

import static io.tenure.redis.Replicas.TIMEOUT;
import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.NotAcknowledgedException;
import io.tenure.StaleTokenException;
import io.tenure.redis.servers.ReplicaGroup;
import io.tenure.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fenced writes that replicas have to acknowledge. */
class AcknowledgedFenceTest {
    @RegisterExtension
    static final Replicas replicas = new Replicas();

    private final ReplicaGroup group = replicas.group();
    private final RedisLeaseStore store = replicas.store();
    private final String name = fresh("job");

    @Test
    void a_fenced_write_can_ask_for_replicas_too() {
        Claim held = hold(store, lock(claim(name, "a")));
        RedisFence fence = store.fence(name).acknowledged(2, TIMEOUT);

        for (int i = 0; i < 20; i++) {
            String value = "v" + i;
            acknowledged(() -> {
                fence.set(held.token(), name + ":state", value);
                return value;
            });
            assertThat(group.replica(0).cli("GET", name + ":state")).isEqualTo("v" + i);
            assertThat(group.replica(1).cli("GET", name + ":state")).isEqualTo("v" + i);
        }
        long written = acknowledged(
                () -> get(fence.batch(held.token()).set(name + ":state", "w").applyAsync()));
        assertThat(written).isEqualTo(1);
        assertThat(group.replica(1).cli("GET", name + ":state")).isEqualTo("w");
    }

    @Test
    void law25_a_fenced_write_that_replicas_did_not_acknowledge_stays_and_says_so() {
        Claim held = hold(store, lock(claim(name, "a")));
        group.cutLinks();

        assertThatThrownBy(() -> store.fence(name).acknowledged(1, TIMEOUT).set(held.token(), name + ":state", "v"))
                .isInstanceOfSatisfying(NotAcknowledgedException.class, e -> {
                    assertThat(e.wanted()).isEqualTo(1);
                    assertThat(e.acknowledged()).isZero();
                })
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("written on the primary");
        assertThat(group.primary().cli("GET", name + ":state")).isEqualTo("v");
    }

    @Test
    void law25_a_stale_write_is_refused_without_waiting_for_replicas() {
        Claim held = hold(store, lock(claim(name, "a")));
        int before = replicas.waits();

        assertThatThrownBy(() -> store.fence(name).acknowledged(2, TIMEOUT).set(held.token() - 1, name + ":state", "v"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(replicas.waits()).isEqualTo(before);
    }
}
