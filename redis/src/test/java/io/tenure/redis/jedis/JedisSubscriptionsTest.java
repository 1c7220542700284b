package io.tenure.redis.jedis;

import static io.tenure.redis.StoreFixture.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import io.tenure.StoreException;
import io.tenure.redis.JedisStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisScript;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.StoreFixture;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** Pushes over Jedis: one thread and one connection for all channels, and what becomes of both. */
class JedisSubscriptionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SILENCE = Duration.ofMillis(100);
    private static final RedisScript NOTHING = RedisScript.of("nothing", "return 0");

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule("--appendonly", "yes", "--appendfsync", "always");

    private RedisCommands<String, String> cli;
    private String name;
    private UnifiedJedis client;
    private RedisPort port;

    @BeforeEach
    void fresh() {
        cli = redis.cli();
        name = StoreFixture.fresh("job");
        client = JedisFixture.client("127.0.0.1", redis.port(), Duration.ofSeconds(2));
        port = JedisStores.port(client);
    }

    @AfterEach
    void close() {
        port.close();
        client.close();
    }

    /** What a channel was told, in order. */
    private static final class Log implements RedisPort.Subscriber {
        private final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void message(byte[] payload) {
            told.add(new String(payload, UTF_8));
        }

        @Override
        public void established() {
            told.add("+");
        }

        @Override
        public void lost() {
            told.add("-");
        }

        @Override
        public void refused(StoreException reason) {
            told.add(reason.isTransient() ? "refused for now" : "refused");
        }
    }

    private Log subscribed(RedisPort through, String channel) {
        Log log = new Log();
        through.subscribe(channel, log);
        await().atMost(PATIENCE).until(() -> log.told.equals(List.of("+")));
        return log;
    }

    private static long listeners() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("tenure-redis-subscribe"))
                .filter(Thread::isAlive)
                .count();
    }

    private static long connections() {
        return redis.cli()
                .clientList()
                .lines()
                .filter(line -> !line.contains(" sub=0 "))
                .count();
    }

    @Test
    void law19_all_channels_share_one_connection_and_one_thread_and_closing_ends_both() {
        Log a = subscribed(port, name + "a");
        Log b = subscribed(port, name + "b");
        assertThat(connections()).isEqualTo(1);
        assertThat(listeners()).isEqualTo(1);

        cli.publish(name + "a", "to a");
        cli.publish(name + "b", "to b");
        await().atMost(PATIENCE).until(() -> a.told.contains("to a") && b.told.contains("to b"));
        port.close();

        await().atMost(PATIENCE).until(() -> connections() == 0 && listeners() == 0);
        assertThat(a.told).containsExactly("+", "to a");
        assertThat(client.ping()).as("the client is left as it was").isEqualTo("PONG");
    }

    @Test
    void law20_a_lost_connection_is_told_and_made_again_with_all_channels() {
        Log a = subscribed(port, name + "a");
        Log b = subscribed(port, name + "b");

        cli.clientKill(KillArgs.Builder.typePubsub());

        for (Log log : List.of(a, b)) {
            await().atMost(PATIENCE).until(() -> log.told.equals(List.of("+", "-", "+")));
        }
        assertThat(connections()).isEqualTo(1);
    }

    @Test
    void law20_a_channel_that_is_refused_is_told_so_and_the_others_are_kept() {
        cli.aclSetuser(
                "deaf",
                AclSetuserArgs.Builder.on()
                        .addPassword("pw")
                        .allKeys()
                        .resetChannels()
                        .channelPattern(name + "may*")
                        .allCommands());
        try (UnifiedJedis user = client("deaf");
                RedisPort deaf = JedisStores.port(user)) {
            Log may = subscribed(deaf, name + "may");
            Log mayNot = new Log();

            deaf.subscribe(name + "not", mayNot);

            await().atMost(PATIENCE).until(() -> mayNot.told.equals(List.of("refused")));
            await().atMost(PATIENCE).until(() -> may.told.equals(List.of("+", "-", "+")));
            cli.publish(name + "may", "heard");
            await().atMost(PATIENCE).until(() -> may.told.contains("heard"));
        }
    }

    @Test
    void law20_whoever_may_not_subscribe_is_told_so_and_keeps_no_thread() {
        cli.aclSetuser(
                "mute",
                AclSetuserArgs.Builder.on()
                        .addPassword("pw")
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(CommandType.SUBSCRIBE));
        try (UnifiedJedis user = client("mute");
                RedisPort mute = JedisStores.port(user)) {
            Log log = new Log();
            mute.subscribe(name, log);
            await().atMost(PATIENCE).until(() -> log.told.equals(List.of("refused")));
            await().atMost(PATIENCE).until(() -> listeners() == 0);

            cli.aclSetuser("mute", AclSetuserArgs.Builder.on().addCommand(CommandType.SUBSCRIBE));
            mute.subscribe(name, log);
            await().atMost(PATIENCE).until(() -> log.told.equals(List.of("refused", "+")));
        }
    }

    @Test
    void law20_a_server_that_is_silent_for_ever_is_found_out_while_somebody_asks_for_leases() {
        try (RedisPort impatient = impatient(client)) {
            Log log = subscribed(impatient, name);
            redis.pause();
            try {
                await().atMost(PATIENCE).until(() -> {
                    impatient.run(NOTHING, new byte[0][]);
                    return log.told.contains("-");
                });
            } finally {
                redis.resume();
            }
            await().atMost(PATIENCE).until(() -> log.told.equals(List.of("+", "-", "+")));
        }
    }

    @Test
    void law20_whoever_may_not_ping_keeps_its_pushes() {
        cli.aclSetuser(
                "pingless",
                AclSetuserArgs.Builder.on()
                        .addPassword("pw")
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(CommandType.PING));
        try (UnifiedJedis user = client("pingless");
                RedisPort impatient = impatient(user)) {
            Log log = subscribed(impatient, name);
            await().atMost(PATIENCE).until(() -> {
                impatient.run(NOTHING, new byte[0][]);
                return log.told.equals(List.of("+", "-", "+")); // the one that found out
            });
            for (int i = 0; i < 100; i++) {
                get(impatient.run(NOTHING, new byte[0][]));
                LockSupport.parkNanos(SILENCE.toNanos() / 20);
            }
            cli.publish(name, "heard");
            await().atMost(PATIENCE).until(() -> log.told.equals(List.of("+", "-", "+", "heard")));
        }
    }

    /** A port that asks after a short silence already. */
    private static RedisPort impatient(UnifiedJedis client) {
        return new JedisPort(
                JedisClients.topology(client),
                new JedisLimits(Duration.ofSeconds(2), 4, 10_000, Duration.ofSeconds(30), SILENCE));
    }

    private static UnifiedJedis client(String user) {
        return RedisClient.builder()
                .hostAndPort("127.0.0.1", redis.port())
                .clientConfig(DefaultJedisClientConfig.builder()
                        .user(user)
                        .password("pw")
                        .build())
                .build();
    }

    @Test
    void law29_a_restart_is_survived_with_leases_and_pushes() {
        try (RedisLeaseStore store = JedisStores.of(client)) {
            Claim held = hold(store, election(claim(name, "a")));
            List<Duration> wakes = new CopyOnWriteArrayList<>();
            store.wakeups().await(name, "inc", wakes::add);
            await().until(() -> store.wakeups().isLive());

            redis.stop();
            await().until(() -> !store.wakeups().isLive());
            StoreException down = failure(() -> get(store.find(name)));
            assertThat(down.isTransient()).isTrue();
            assertThat(down).hasMessageContaining("127.0.0.1:" + redis.port());
            wakes.clear();
            redis.start();
            cli = redis.cli();

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> renew(store, held, LeaseKind.ELECTION) instanceof Renewal.Renewed);
            await().atMost(PATIENCE).until(() -> store.wakeups().isLive() && wakes.contains(Duration.ZERO));
            assertThat(release(store, held)).isTrue();
        }
    }
}
