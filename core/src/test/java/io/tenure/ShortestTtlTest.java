package io.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.memory.ManualTimeline;
import io.tenure.memory.MemoryLeaseStore;
import io.tenure.spi.LeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Leases on a store whose calls may hang for longer than a short lease can bear. */
class ShortestTtlTest {
    private static final Duration SHORTEST = Duration.ofSeconds(4);

    private final ManualTimeline timeline = new ManualTimeline();
    private final MemoryLeaseStore memory = MemoryLeaseStore.on(timeline);

    @Test
    void law27_an_election_or_lock_of_a_shorter_ttl_than_the_store_can_keep_is_refused_with_both() {
        Duration tooShort = SHORTEST.minusMillis(1);
        try (Tenure tenure = Tenure.over(slow()).timeline(timeline).open()) {
            assertThatThrownBy(() ->
                            tenure.elector("job", ElectorOptions.ofTtl(tooShort).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("job")
                    .hasMessageContaining("" + tooShort)
                    .hasMessageContaining("" + SHORTEST)
                    .hasMessageContainingAll("shorter time-out", "JdbcStoreOptions.callTimeout");
            assertThatThrownBy(
                            () -> tenure.lock("job", LockOptions.ofTtl(tooShort).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("" + tooShort)
                    .hasMessageContaining("" + SHORTEST);
        }
    }

    @Test
    void law27_the_shortest_ttl_that_a_store_can_keep_is_taken_and_a_refusal_leaves_the_name_to_another_elector() {
        try (Tenure tenure = Tenure.over(slow()).timeline(timeline).open()) {
            assertThatThrownBy(() -> tenure.elector(
                            "role", ElectorOptions.ofTtl(SHORTEST.dividedBy(2)).build()))
                    .isInstanceOf(IllegalArgumentException.class);
            Elector elector =
                    tenure.elector("role", ElectorOptions.ofTtl(SHORTEST).build());
            elector.campaign();
            assertThat(elector.isLeader()).isTrue();
            assertThat(tenure.lock("job", LockOptions.ofTtl(SHORTEST).build()).tryAcquire())
                    .isPresent();
        }
    }

    @Test
    void law27_a_store_in_memory_keeps_leases_of_every_ttl() {
        assertThat(memory.shortestTtl()).isZero();
    }

    /** The store in memory, as if each of its calls could take half of that. */
    private LeaseStore slow() {
        return (LeaseStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("shortestTtl")) {
                        return SHORTEST;
                    }
                    try {
                        return method.invoke(memory, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
