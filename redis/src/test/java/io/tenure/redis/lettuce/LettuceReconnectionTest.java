package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import io.tenure.StoreException;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.StoreFixture;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of commands, leases and wake-ups when the connection or the server is lost. */
class LettuceReconnectionTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule("--appendonly", "yes", "--appendfsync", "always");

    private RedisCommands<String, String> cli;
    private String name;

    @BeforeEach
    void fresh() {
        cli = redis.cli();
        name = StoreFixture.fresh("job");
    }

    @Test
    void a_killed_connection_fails_what_was_under_way_at_once_and_never_repeats_it() {
        RedisScript count = RedisScript.of("count", "return redis.call('INCR', KEYS[1])");
        byte[][] counter = {name.getBytes(UTF_8)};
        try (RedisPort port = LettuceClients.connect(redis.uri() + "?timeout=60s")) {
            assertThat(get(port.run(count, counter)).asLong()).isEqualTo(1);
            redis.pauseWrites();
            try {
                CompletionStage<RedisReply> underWay = port.run(count, counter);
                await().until(() -> cli.clientList().contains("cmd=evalsha"));
                cli.clientKill(KillArgs.Builder.typeNormal().skipme());

                StoreException e = failure(() -> get(underWay));

                assertThat(e.isTransient()).isTrue();
                assertThat(e).hasMessageContaining("may have been carried out");
            } finally {
                redis.unpause();
            }
            RedisScript read = RedisScript.of("read", "return redis.call('GET', KEYS[1])");
            await().ignoreExceptions().until(() -> get(port.run(read, counter)).asLong() == 1);
            assertThat(get(port.run(count, counter)).asLong()).isEqualTo(2);
        }
    }

    @Test
    void law29_a_restart_is_survived_with_leases_and_tokens() {
        try (RedisLeaseStore store = RedisLeaseStore.connect(redis.uri())) {
            Claim held = hold(store, election(claim(name, "a")));
            java.util.List<Duration> wakes = new java.util.concurrent.CopyOnWriteArrayList<>();
            store.wakeups().await(name, "inc", wakes::add);
            await().until(() -> store.wakeups().isLive());

            redis.stop();
            await().until(() -> !store.wakeups().isLive());
            StoreException down = failure(() -> get(store.find(name)));
            assertThat(down.isTransient()).isTrue();
            assertThat(down).hasMessageContaining("127.0.0.1:" + redis.port());
            wakes.clear();
            redis.start();

            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> renew(store, held, LeaseKind.ELECTION) instanceof Renewal.Renewed);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> store.wakeups().isLive() && wakes.contains(Duration.ZERO));
            assertThat(release(store, held)).isTrue();
        }
    }

    @Test
    void a_command_that_was_under_way_is_not_sent_again_after_a_reconnection_and_one_that_came_later_is() {
        // The user's client, which by default keeps commands until it has a connection again. The server knows
        // the script already: otherwise it would refuse the digest, and nothing would come of it anyway.
        RedisClient client = RedisClient.create(redis.uri());
        try (RedisLeaseStore store = LettuceStores.of(client)) {
            hold(store, lock(claim(name + "warm", "a")));
            redis.pauseWrites();
            CompletionStage<Acquisition> kept;
            try {
                CompletionStage<Acquisition> abandoned = store.acquire(lock(claim(name, "abandoned")));
                await().until(() -> cli.clientList().contains("cmd=evalsha"));
                abandoned.toCompletableFuture().cancel(false);
                CompletionStage<Acquisition> underWay = store.acquire(lock(claim(name + "lost", "lost")));
                cli.clientKill(KillArgs.Builder.typeNormal().skipme());
                StoreException e = failure(() -> get(underWay));
                assertThat(e.isTransient()).isTrue();
                assertThat(e).hasMessageContaining("may have been carried out");
                kept = store.acquire(lock(claim(name + "kept", "kept")));
            } finally {
                redis.unpause();
            }

            assertThat(get(kept)).isInstanceOf(Acquisition.Granted.class);
            assertThat(get(store.find(name))).isEmpty();
            assertThat(get(store.find(name + "lost"))).isEmpty();
        } finally {
            client.shutdown();
        }
    }

    @Test
    void law23_who_may_not_subscribe_is_told_too_when_the_server_can_be_asked_again() {
        cli.aclSetuser(
                "deaf",
                AclSetuserArgs.Builder.on()
                        .addPassword("pw")
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(CommandType.SUBSCRIBE));
        try (RedisLeaseStore deaf = RedisLeaseStore.connect("redis://deaf:pw@127.0.0.1:" + redis.port())) {
            List<CompletionStage<Acquisition>> attempts = new CopyOnWriteArrayList<>();
            deaf.wakeups().await(name, "inc", after -> attempts.add(deaf.acquire(lock(claim(name, "waiter")))));

            cli.clientKill(KillArgs.Builder.typeNormal().skipme());

            await().until(() -> !attempts.isEmpty());
            assertThat(deaf.wakeups().isLive()).isFalse();
            assertThat(get(attempts.get(0))).isInstanceOf(Acquisition.Granted.class);
            assertThat(attempts).as("one look for one return").hasSize(1);
        }
    }

    @Test
    void a_client_of_our_own_tries_again_within_a_second_however_long_an_outage_lasts() {
        for (int attempt = 1; attempt < 200; attempt++) {
            assertThat(LettuceSettings.reconnectDelay().createDelay(attempt))
                    .isBetween(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @Test
    void law19_closing_right_after_a_call_was_given_up_leaves_no_connection() {
        await().until(() -> cli.clientList().lines().count() == 1);
        RedisScript nothing = RedisScript.of("nothing", "return redis.call('SET', KEYS[1], '')");
        byte[][] key = {name.getBytes(UTF_8)};

        // Whoever is not answered looks whether there is another server by now, over one more connection.
        for (int i = 0; i < 50; i++) {
            RedisPort port = LettuceClients.connect(redis.uri());
            redis.pauseWrites();
            try {
                port.run(nothing, key).toCompletableFuture().cancel(true);
                port.close();
            } finally {
                redis.unpause();
            }
        }

        await().untilAsserted(() -> assertThat(cli.clientList().lines()).hasSize(1));
    }
}
