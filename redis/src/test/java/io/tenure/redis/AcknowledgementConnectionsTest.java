package io.tenure.redis;

import static io.tenure.redis.Replicas.BOTH;
import static io.tenure.redis.Replicas.TIMEOUT;
import static io.tenure.redis.Replicas.leaseOn;
import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.tenure.NotAcknowledgedException;
import io.tenure.StoreException;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ReplicaGroup;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.UnifiedJedis;

/** The connections on which replicas are waited for, by each client, and settings that cannot be. */
class AcknowledgementConnectionsTest {
    @RegisterExtension
    static final Replicas replicas = new Replicas();

    private final ReplicaGroup group = replicas.group();
    private final RedisLeaseStore store = replicas.store();
    private final String name = fresh("job");

    @Test
    void a_connection_that_is_lost_while_it_waits_grants_nothing_and_is_replaced() {
        assertLostGrantsNothing(store);
    }

    /** Which would send the wait again, over a connection on which nothing was written. */
    @Test
    void nor_does_one_of_a_client_that_sends_again_what_was_lost() {
        RedisClient client = RedisClient.create(group.primary().uri());
        try (RedisLeaseStore other = LettuceStores.of(client, BOTH)) {
            assertLostGrantsNothing(other);
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private void assertLostGrantsNothing(RedisLeaseStore store) {
        Claim claim = claim(name, "a");
        hold(store, lock(claim(fresh("job"), "a")));
        long connected = replicas.connections();
        replicas.holdBack();

        // On a busy machine the wait may be over before its connection is, which is another case.
        StoreException lost = await().pollInSameThread()
                .until(() -> killedWhileItWaits(store, claim), e -> !(e instanceof NotAcknowledgedException));

        assertThat(lost.isTransient()).isTrue();
        replicas.letGo();
        hold(store, lock(claim));
        await().until(() -> replicas.connections() == connected);
    }

    private StoreException killedWhileItWaits(RedisLeaseStore store, Claim claim) {
        CompletionStage<Acquisition> attempt = store.acquire(lock(claim));
        String waiting = "";
        while (waiting.isEmpty() && !attempt.toCompletableFuture().isDone()) {
            waiting = group.primary()
                    .cli("CLIENT", "LIST")
                    .lines()
                    .filter(line -> line.contains(" cmd=wait "))
                    .map(line -> line.replaceAll("^id=(\\d+) .*", "$1"))
                    .collect(Collectors.joining());
        }
        if (!waiting.isEmpty()) {
            group.primary().cli("CLIENT", "KILL", "ID", waiting);
        }
        return failure(() -> get(attempt));
    }

    @Test
    void closing_ends_attempts_that_wait_and_their_connections() {
        RedisLeaseStore other = RedisLeaseStore.connect(group.primary().uri(), BOTH);
        long rest = replicas.connections();
        replicas.holdBack();
        List<CompletionStage<Acquisition>> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(other.acquire(lock(claim(fresh("job"), "a"))));
        }

        other.close();

        assertThat(waiting)
                .allSatisfy(attempt -> assertThatThrownBy(() -> get(attempt)).isInstanceOf(StoreException.class));
        assertThatThrownBy(() -> get(other.acquire(lock(claim(name, "a"))))).hasMessageContaining("closed");
        await().until(() -> replicas.connections() == rest - 1);
    }

    @Test
    void a_client_of_the_users_waits_for_replicas_too_and_closing_leaves_no_connection() {
        long before = replicas.connections();
        RedisClient client = RedisClient.create(group.primary().uri());
        try (RedisLeaseStore other = LettuceStores.of(client, BOTH)) {
            Claim held = hold(other, lock(claim(name, "a")));

            assertThat(leaseOn(group.replica(1), name)).isEqualTo(LeaseValue.of(held));
        }
        await().until(() -> replicas.connections() == before);
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }

    @Test
    void law10_by_jedis_too_renewals_are_not_delayed_while_attempts_wait_and_are_taken_back() {
        try (UnifiedJedis client = redis.clients.jedis.RedisClient.builder()
                        .hostAndPort(RedisProcess.HOST, group.primary().port())
                        .build();
                RedisLeaseStore jedis = JedisStores.of(client, BOTH)) {
            Claim held = hold(jedis, lock(claim(name, "a")));
            assertThat(leaseOn(group.replica(1), name)).isEqualTo(LeaseValue.of(held));
            replicas.holdBack();

            List<String> names = new ArrayList<>();
            List<CompletionStage<Acquisition>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                names.add(fresh("job"));
                waiting.add(jedis.acquire(lock(claim(names.get(i), "a"))));
            }
            for (int i = 0; i < 5; i++) {
                assertThat(renew(jedis, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
            }

            assertThat(waiting)
                    .noneMatch(attempt -> attempt.toCompletableFuture().isDone());
            waiting.forEach(Replicas::assertNotAcknowledged);
            assertThat(names)
                    .allSatisfy(each -> assertThat(replicas.keysOf(each)).doesNotContain(each + ":leader"));
        }
    }

    @Test
    void settings_that_cannot_be_are_refused_naming_them() {
        RedisStoreOptions.Builder builder = RedisStoreOptions.builder();
        assertThatThrownBy(() -> builder.minReplicas(0, TIMEOUT)).hasMessageContaining("minReplicas is 0");
        assertThatThrownBy(() -> builder.minReplicas(1, Duration.ofNanos(999_999)))
                .hasMessageContaining("PT0.000999999S");
        assertThatThrownBy(() -> builder.minReplicas(1, Duration.ofMillis(451))).hasMessageContaining("450 ms");
        assertThat(builder.minReplicas(1, Duration.ofMillis(450)).build().minReplicas())
                .contains(new Acknowledgement(1, Duration.ofMillis(450)));
    }

    @Test
    void a_wait_that_is_longer_than_the_clients_own_is_refused_and_leaves_no_connection() {
        long before = replicas.connections();

        assertThatThrownBy(() -> RedisLeaseStore.connect(group.primary().uri() + "?timeout=400ms", BOTH))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("400 ms");
        await().until(() -> replicas.connections() == before);
    }
}
