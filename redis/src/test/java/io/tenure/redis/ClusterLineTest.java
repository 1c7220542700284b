package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.tenure.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The line on a cluster, where a node does not know who listens elsewhere: on one server that is taken for a cluster, with
 * waiters that nobody listens for.
 */
class ClusterLineTest {
    private static final Duration LINE = Duration.ofSeconds(20);
    private static final Duration TIME_TO_ASK_AGAIN = Duration.ofMillis(2_300);

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private static RedisClient client;
    private static RedisLeaseStore store;
    private String name;
    private Claim held;

    @BeforeAll
    static void open() {
        client = RedisClient.create(redis.uri());
        store = RedisLeaseStore.over(
                new BentPort(LettuceStores.port(client), BentPort.Shape.CLUSTER, script -> script),
                RedisStoreOptions.defaults());
    }

    @AfterAll
    static void close() {
        store.close();
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }

    @BeforeEach
    void hold() {
        name = store.canonicalName(fresh("job"));
        held = StoreFixture.hold(store, lock(claim(name, "holder")));
    }

    private int place(Claim waiter) {
        return denied(store, waiting(lock(waiter), LINE)).place();
    }

    @Test
    void law21_who_was_told_and_did_not_ask_again_makes_room_for_the_next() throws InterruptedException {
        place(claim(name, "vanished"));
        place(claim(name, "vanished too"));
        Claim alive = claim(name, "alive");
        List<Duration> wakes = new CopyOnWriteArrayList<>();
        store.wakeups().await(name, alive.incarnation(), wakes::add);
        await().until(() -> store.wakeups().isLive() && wakes.contains(Duration.ZERO));
        assertThat(place(alive)).isEqualTo(3);
        wakes.clear();

        release(store, held);
        Claim next = StoreFixture.hold(store, lock(claim(name, "another")));
        assertThat(redis.cli().zcard(name + ":waiters")).as("they may be alive").isEqualTo(3);
        Thread.sleep(TIME_TO_ASK_AGAIN.toMillis());
        release(store, next);

        await().until(() -> wakes.contains(Duration.ZERO));
        assertThat(redis.cli().zrange(name + ":waiters", 0, -1)).containsExactly(alive.incarnation());
        assertThat(redis.cli().zcard(name + ":waiters:seen")).isEqualTo(1);
    }

    @Test
    void law21_who_was_told_and_was_beaten_keeps_its_place_also_when_nobody_knows_that_it_was_told()
            throws InterruptedException {
        Claim first = claim(name, "first");
        Claim second = claim(name, "second");
        place(first);
        place(second);

        release(store, held);
        Claim faster = StoreFixture.hold(store, lock(claim(name, "faster")));
        assertThat(place(first)).isEqualTo(1);
        assertThat(place(second)).isEqualTo(2);
        Thread.sleep(TIME_TO_ASK_AGAIN.toMillis());
        release(store, faster);

        assertThat(redis.cli().zrange(name + ":waiters", 0, -1))
                .containsExactly(first.incarnation(), second.incarnation());
    }
}
