package io.tenure.redis;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import io.tenure.StoreException;
import io.tenure.TokenSource;
import io.tenure.spi.Claim;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients of Lettuce as stores: whose they are, how connecting fails, and what is told apart by its reply. */
class LettuceStoresTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private RedisCommands<String, String> cli;
    private String name;

    @BeforeEach
    void fresh() {
        cli = redis.cli();
        name = StoreFixture.fresh("job");
    }

    // ---- whose client

    @Test
    void a_client_of_the_users_stays_open() {
        RedisClient client = RedisClient.create(redis.uri());
        try {
            RedisLeaseStore store = LettuceStores.of(client);
            store.wakeups().await(name, "inc", after -> {});
            await().until(() -> store.wakeups().isLive());
            Claim held = hold(store, lock(claim(name, "a")));
            assertThat(store).hasToString("RedisLeaseStore(127.0.0.1:" + redis.port() + ")");
            store.close();
            store.close();

            assertThat(client.connect().sync().get(name + ":leader")).contains("" + held.token());
            assertThat(failure(() -> get(store.find(name)))).hasMessageContaining(name);
        } finally {
            client.shutdown();
        }
    }

    @Test
    void law19_a_closed_store_leaves_no_connection_and_no_thread() {
        Set<Thread> before = threads();
        int connections = cli.clientList().split("\n").length;
        RedisLeaseStore store = RedisLeaseStore.connect(redis.uri());
        store.wakeups().await(name, "inc", after -> {});
        await().until(() -> store.wakeups().isLive());
        assertThat(cli.clientList().split("\n")).hasSize(connections + 2);
        assertThat(threads()).hasSizeGreaterThan(before.size());

        store.close();

        await().until(() -> cli.clientList().split("\n").length == connections);
        await().untilAsserted(() -> assertThat(before).containsAll(threads()));
    }

    /** All but those that look for the test whether something has come true. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("awaitility"))
                .collect(Collectors.toSet());
    }

    @Test
    void closing_a_store_leaves_no_warning_in_the_log_of_lettuce() {
        List<LogRecord> warnings = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                warnings.add(entry);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("io.lettuce.core.RedisChannelHandler");
        log.addHandler(handler);
        RedisClient client = RedisClient.create(redis.uri());
        try {
            for (int i = 0; i < 10; i++) {
                RedisLeaseStore own = RedisLeaseStore.connect(redis.uri());
                RedisLeaseStore given = LettuceStores.of(client);
                for (RedisLeaseStore store : List.of(own, given)) {
                    store.wakeups().await(name, "inc", after -> {});
                    await().until(() -> store.wakeups().isLive());
                    store.close();
                }
            }
            assertThat(warnings).isEmpty();

            StatefulRedisConnection<String, String> twice = client.connect();
            twice.close();
            twice.close();
            assertThat(warnings).as("what a second close is told by").hasSize(1);
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
            log.removeHandler(handler);
        }
    }

    // ---- connecting

    @Test
    void law27_an_unreachable_server_is_named_with_host_and_port_and_without_the_password() throws Exception {
        int nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = free.getLocalPort();
        }

        StoreException e = failure(() -> RedisLeaseStore.connect("redis://user:s3cret@127.0.0.1:" + nobody));

        assertThat(e.isTransient()).isTrue();
        assertThat(e).hasMessageContaining("127.0.0.1:" + nobody).hasMessageContaining("refused");
        assertThat(text(e)).doesNotContain("s3cret");
    }

    @Test
    void law27_wrong_credentials_fail_for_good_at_once() {
        StoreException e = failure(() -> RedisLeaseStore.connect("redis://user:s3cret@127.0.0.1:" + redis.port()));

        assertThat(e.isTransient()).as(text(e)).isFalse();
        assertThat(e).hasMessageContaining("credentials").hasMessageContaining("127.0.0.1:" + redis.port());
        assertThat(text(e)).doesNotContain("s3cret");
    }

    private static String text(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            text.append(t).append('\n');
        }
        return text.toString();
    }

    @Test
    void a_missing_right_is_named_with_what_was_tried() {
        cli.aclSetuser(
                "reader",
                AclSetuserArgs.Builder.on()
                        .addPassword("pw")
                        .allKeys()
                        .allCommands()
                        .removeCommand(CommandType.SET));
        cli.aclSetuser(
                "noeval",
                AclSetuserArgs.Builder.on()
                        .addPassword("pw")
                        .allKeys()
                        .allCommands()
                        .removeCommand(CommandType.EVAL));
        for (String user : List.of("reader", "noeval")) {
            try (RedisLeaseStore store = RedisLeaseStore.connect("redis://" + user + ":pw@127.0.0.1:" + redis.port())) {
                StoreException e = failure(() -> get(store.acquire(lock(claim(name, "a")))));
                assertThat(e.isTransient()).as(user).isFalse();
                assertThat(e).hasMessageContaining("acquiring '" + name + "'").hasMessageContaining("right");
            }
        }
    }

    @Test
    void a_read_only_replica_is_refused_for_good() {
        cli.replicaof("127.0.0.1", 1);
        try (RedisLeaseStore store = RedisLeaseStore.connect(redis.uri())) {
            StoreException e = failure(() -> get(store.acquire(lock(claim(name, "a")))));
            assertThat(e.isTransient()).as(e.getMessage()).isFalse();
            assertThat(e).hasMessageContaining("replica");
        } finally {
            cli.replicaofNoOne();
        }
    }

    // ---- the shape of the API

    @Test
    void only_classes_named_for_lettuce_mention_it_in_signatures() throws Exception {
        java.nio.file.Path classes = java.nio.file.Path.of(RedisLeaseStore.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (java.util.stream.Stream<java.nio.file.Path> files =
                java.nio.file.Files.list(classes.resolve("io/tenure/redis"))) {
            List<Class<?>> others = files.map(file -> file.getFileName().toString())
                    .filter(file ->
                            file.endsWith(".class") && !file.startsWith("Lettuce") && !file.startsWith("package"))
                    .<Class<?>>map(file -> load("io.tenure.redis." + file.substring(0, file.length() - 6)))
                    .filter(type -> !type.getName().contains("Test"))
                    .toList();
            assertThat(others).hasSizeGreaterThan(15);
            for (Class<?> type : others) {
                assertThat(java.util.Arrays.toString(type.getDeclaredMethods())
                                + java.util.Arrays.toString(type.getDeclaredConstructors())
                                + java.util.Arrays.toString(type.getDeclaredFields()))
                        .as(type.getName())
                        .doesNotContain("io.lettuce");
            }
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, RedisLeaseStore.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_counter_refuses_an_explicit_retention() {
        assertThatThrownBy(() -> RedisStoreOptions.builder()
                        .tokens(TokenSource.COUNTER)
                        .retention(Duration.ofHours(2))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("COUNTER")
                .hasMessageContaining("retention");
        for (Duration bad : List.of(
                RedisStoreOptions.MIN_RETENTION.minusNanos(1),
                Duration.ofMillis(-1),
                RedisStoreOptions.MAX_RETENTION.plusNanos(1))) {
            assertThatThrownBy(() -> RedisStoreOptions.builder().retention(bad).build())
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (Duration good : List.of(RedisStoreOptions.MIN_RETENTION, RedisStoreOptions.MAX_RETENTION)) {
            assertThat(RedisStoreOptions.builder().retention(good).build().retention())
                    .isEqualTo(good);
        }
        assertThat(RedisStoreOptions.defaults().retention()).isEqualTo(RedisStoreOptions.DEFAULT_RETENTION);
    }
}
