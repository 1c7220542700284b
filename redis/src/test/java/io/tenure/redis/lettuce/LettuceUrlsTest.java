package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.tenure.StoreException;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RawConnection;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SentinelGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each form of URL, on what it is meant for and on what it is not. */
class LettuceUrlsTest {
    /** More than any bound of a client, and less than a test may take. */
    private static final Duration BOUND = Duration.ofSeconds(20);

    @RegisterExtension
    static final SentinelGroup sentinels = SentinelGroup.steady();

    @RegisterExtension
    static final ClusterGroup cluster = ClusterGroup.steady();

    private static final RedisProcess guarded = RedisProcess.of("--bind", "127.0.0.1", "-::1");
    private static final RedisProcess node = RedisProcess.of("--cluster-enabled", "yes");
    private static int nobody;
    private static int other;

    @BeforeAll
    static void start() throws IOException {
        guarded.start();
        node.start();
        List.of(guarded, node).forEach(server -> server.cli("CONFIG", "SET", "requirepass", "s3cret"));
        sentinels.primary().cli("ACL", "SETUSER", "app", "on", ">s3cret", "~*", "&*", "+@all");
        nobody = free();
        other = free();
    }

    @AfterAll
    static void stop() {
        guarded.close();
        node.close();
    }

    private static int free() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static StoreException refused(String url) {
        long began = System.nanoTime();
        StoreException e = failure(() -> RedisLeaseStore.connect(url).close());
        assertThat(e).as(url).isNotNull();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).as(url).isLessThan(BOUND);
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).as(url).doesNotContain("s3cret");
        }
        return e;
    }

    @Test
    void law27_hosts_that_nobody_can_reach_are_all_named() {
        for (String form : List.of("redis-cluster://u:s3cret@%s,%s", "redis-sentinel://:s3cret@%s,%s#main")) {
            String one = "127.0.0.1:" + nobody;
            String two = "127.0.0.1:" + other;

            StoreException e = refused(String.format(form, one, two));

            assertThat(e.isTransient()).as(e.getMessage()).isTrue();
            assertThat(e).hasMessageContainingAll(one, two, "refused");
        }
    }

    @Test
    void one_of_several_hosts_that_can_be_reached_is_enough() {
        String dead = "127.0.0.1:" + nobody;
        String primary = "#" + SentinelGroup.NAME;
        String live = RedisProcess.HOST + ":" + sentinels.sentinels().get(1).port();
        for (String url : List.of(
                "redis-sentinel://app:s3cret@" + dead + "," + live + "?timeout=10s" + primary,
                "redis-sentinel://app:s3cret@" + dead + "," + live + "/3?timeout=10s" + primary,
                "redis-cluster://" + dead + "," + cluster.uris().get(2).substring("redis://".length())
                        + "/0?timeout=10s")) {
            assertWorks(url);
        }
        assertThat(sentinels.primary().info("db3")).contains("keys=");
    }

    private static void assertWorks(String url) {
        try (RedisLeaseStore store = RedisLeaseStore.connect(url)) {
            String name = store.canonicalName(fresh("job"));
            assertThat(release(store, hold(store, lock(claim(name, "a"))))).isTrue();
        }
    }

    @Test
    void user_password_and_an_address_of_ipv6_work() throws IOException {
        assertWorks("redis://:s3cret@127.0.0.1:" + guarded.port() + "?timeout=10s");
        String ipv6 = "redis://default:s3cret@[::1]:" + guarded.port() + "/1?timeout=10s";
        if (hasIpv6()) {
            assertWorks(ipv6);
        } else {
            assertThat(failure(() -> RedisLeaseStore.connect(ipv6)))
                    .hasMessageContaining("::1")
                    .hasMessageNotContaining("s3cret");
        }
    }

    private static boolean hasIpv6() {
        try (Socket socket = new Socket(InetAddress.getByName("::1"), guarded.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    static Stream<String> forms() {
        return Stream.of(
                "redis://%s:%d?timeout=2s",
                "redis-cluster://%s:%d?timeout=2s", "redis-sentinel://%s:%d?timeout=2s#main");
    }

    @ParameterizedTest
    @MethodSource("forms")
    void law27_who_is_no_redis_is_named_and_soon_given_up(String form) throws IOException {
        try (ServerSocket web = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> answer(web));
            thread.setDaemon(true);
            thread.start();

            StoreException e = refused(String.format(form, "u:s3cret@127.0.0.1", web.getLocalPort()));

            // Lettuce may close the connection before it listens why: then what the server said is lost.
            assertThat(e)
                    .hasMessageContaining("127.0.0.1:" + web.getLocalPort())
                    .hasMessageMatching(
                            ".*(what it answers is not what a Redis server does|the server hung up).*rediss://.*");
        }
    }

    @Test
    void law27_a_connection_that_ended_before_lettuce_listened_is_told_as_one_that_the_server_ended() {
        StoreException e = LettuceFailures.unreachable(
                "127.0.0.1:6379",
                "2000 ms",
                new RedisConnectionException(
                        "Unable to connect", new IllegalStateException("RedisHandshakeHandler not registered")));

        assertThat(e.isTransient()).isTrue();
        assertThat(e)
                .hasMessageContaining("not ready within 2000 ms, or the server hung up")
                .hasMessageNotContaining("RedisHandshakeHandler");
    }

    private static void answer(ServerSocket web) {
        try {
            while (true) {
                try (Socket client = web.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    @Test
    void law27_missing_and_wrong_credentials_are_told_for_good() {
        for (String url : List.of(
                "redis://127.0.0.1:" + guarded.port(),
                "redis-cluster://127.0.0.1:" + node.port(),
                "redis-cluster://:s3cret-not@127.0.0.1:" + node.port(),
                "redis-sentinel://app:s3cret-not@127.0.0.1:"
                        + sentinels.sentinels().get(0).port() + "#" + SentinelGroup.NAME)) {
            StoreException e = refused(url);

            assertThat(e.isTransient()).as(e.getMessage()).isFalse();
            assertThat(e).hasMessageContainingAll("127.0.0.1:", "credentials");
        }
    }

    @Test
    void law27_sentinels_that_ask_for_credentials_are_told_apart_from_their_primary() {
        RedisProcess sentinel = sentinels.sentinels().get(2);
        sentinel.cli("ACL", "SETUSER", "default", "resetpass", ">s3cret");
        try {
            StoreException e =
                    refused("redis-sentinel://app:s3cret@127.0.0.1:" + sentinel.port() + "#" + SentinelGroup.NAME);

            assertThat(e.isTransient()).as(e.getMessage()).isFalse();
            assertThat(e).hasMessageContainingAll("the sentinels ask for credentials", "LettuceStores.of", "NOAUTH");
            assertWorksWithCredentialsOf(sentinel);
        } finally {
            try (RawConnection connection = RawConnection.to(sentinel.port())) {
                connection.call("AUTH", "s3cret");
                connection.call("ACL", "SETUSER", "default", "nopass");
            }
        }
    }

    private static void assertWorksWithCredentialsOf(RedisProcess sentinel) {
        RedisClient client = RedisClient.create(RedisURI.builder()
                .withSentinelMasterId(SentinelGroup.NAME)
                .withSentinel(RedisURI.Builder.redis(RedisProcess.HOST, sentinel.port())
                        .withPassword("s3cret".toCharArray())
                        .build())
                .withAuthentication("app", "s3cret".toCharArray())
                .build());
        try (RedisLeaseStore store = LettuceStores.of(client)) {
            assertThat(release(store, hold(store, lock(claim(fresh("job"), "a")))))
                    .isTrue();
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    @Test
    void law27_the_wrong_form_of_url_is_told_with_the_right_one() {
        StoreException e = refused("redis-cluster://:s3cret@127.0.0.1:" + guarded.port());
        assertThat(e.isTransient()).as(e.getMessage()).isFalse();
        assertThat(e).hasMessageContainingAll("127.0.0.1:" + guarded.port(), "redis://host:port");

        StoreException unknown = refused(
                "redis-sentinel://127.0.0.1:" + sentinels.sentinels().get(0).port() + "#other");
        assertThat(unknown.isTransient()).as(unknown.getMessage()).isFalse();
        assertThat(unknown).hasMessageContainingAll("'other'", "the sentinels know no primary of that name");

        StoreException noSentinel =
                refused("redis-sentinel://127.0.0.1:" + sentinels.primary().port() + "#main");
        assertThat(noSentinel.isTransient()).as(noSentinel.getMessage()).isFalse();
        assertThat(noSentinel).hasMessageContaining("no sentinel");

        try (RedisLeaseStore store = RedisLeaseStore.connect(cluster.uris().get(0))) {
            List<StoreException> refusals = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                try {
                    get(store.find("{" + i + "}"));
                } catch (StoreException moved) {
                    refusals.add(moved);
                }
            }
            assertThat(refusals).isNotEmpty().allSatisfy(moved -> {
                assertThat(moved.isTransient()).as(moved.getMessage()).isFalse();
                assertThat(moved).hasMessageContainingAll("MOVED", "redis-cluster://host:port");
            });
        }
    }
}
