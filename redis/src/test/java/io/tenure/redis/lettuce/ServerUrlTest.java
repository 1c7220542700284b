package io.tenure.redis.lettuce;

import static io.tenure.redis.StoreFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.tenure.StoreException;
import io.tenure.redis.LettuceStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** URLs for {@code connect}: which are refused, with the part that is wrong, and what the others come to. */
class ServerUrlTest {
    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    @Test
    void law27_each_wrong_part_of_a_url_is_named_and_never_the_password() {
        Map<String, List<String>> wrong = Map.ofEntries(
                Map.entry(
                        "it starts with none of",
                        List.of(
                                "",
                                "127.0.0.1:6379",
                                "a:s3cret@h",
                                "http://a:s3cret@h:1",
                                "redis+tls://a:s3cret@h",
                                "redis+ssl://a:s3cret@h",
                                "redis+socket:///tmp/s3cret")),
                Map.entry(
                        "the host is missing",
                        List.of(
                                "redis://",
                                "redis://a:s3cret@",
                                "redis://:s3cret@:6379",
                                "redis-sentinel://a,,b#m",
                                "redis-cluster://:s3cret@a,")),
                Map.entry(
                        "stand once, before the first host",
                        List.of("redis-sentinel://h1,a:s3cret@h2#m", "redis-cluster://h1:1,:s3cret@h2")),
                Map.entry("the host is no name", List.of("redis://::1", "redis://[::1", "redis://a b")),
                Map.entry(
                        "the port is no number",
                        List.of("redis://:s3cret@h:port", "redis://h:", "redis://a:s3cret", "redis://h:-1")),
                Map.entry(
                        "it has to be from 1 to 65535",
                        List.of(
                                "redis://:s3cret@h:0",
                                "redis://h:70000",
                                "redis://h:99999999",
                                "redis-sentinel://a:0#m")),
                Map.entry(
                        "write '/' as %2F",
                        List.of("redis://a:s3/cret@h", "redis://a:s?3cret@h", "redis://a:s3#cret@h")),
                Map.entry(
                        "no URL may hold",
                        List.of("redis://a:s3c ret@h", "redis://a:s3c%ret@h", "redis://a:s3c^ret@h")),
                Map.entry(
                        "the database is",
                        List.of(
                                "redis://:s3cret@h/x",
                                "redis://h/-1",
                                "redis://h/1/2",
                                "redis://h?database=1x",
                                "redis://h?db=-1")),
                Map.entry(
                        "a cluster has no other than 0",
                        List.of("redis-cluster://:s3cret@h,i/1", "rediss-cluster://h?db=2")),
                Map.entry("are two", List.of("redis://:s3cret@h/1?database=2")),
                Map.entry(
                        "the timeout is",
                        List.of(
                                "redis://:s3cret@h?timeout=abc",
                                "redis://h?timeout=-5s",
                                "redis://h?timeout=0",
                                "redis://h?timeout=999us",
                                "redis://h?timeout=2d",
                                "redis://h?timeout=2w",
                                "redis://h?timeout=1.5s",
                                "redis://h?timeout=999999999999999999d")),
                Map.entry(
                        "the parameter 'time' is unknown", List.of("redis://:s3cret@h?time=2s", "redis://h?db=1&time")),
                Map.entry("the parameter 'Timeout' is unknown", List.of("redis://h?Timeout=2s")),
                Map.entry("has no value", List.of("redis://:s3cret@h?timeout", "redis://h?clientName=")),
                Map.entry("is given twice", List.of("redis://h?timeout=1s&timeout=2s", "redis://h?db=1;database=1")),
                Map.entry("one of NONE, CA and FULL", List.of("rediss://:s3cret@h?verifyPeer=maybe")),
                Map.entry("three slashes", List.of("redis-socket://tmp/redis.sock")),
                Map.entry(
                        "the path of the socket is missing", List.of("redis-socket://", "redis-socket:///?timeout=1s")),
                Map.entry(
                        "the name of the primary",
                        List.of(
                                "redis-sentinel://a",
                                "redis-sentinel://a#",
                                "redis-sentinel://a?sentinelMasterId=m#n")),
                Map.entry(
                        "which only redis-sentinel:// does",
                        List.of("redis://h#m", "redis://h?sentinelMasterId=m", "redis-cluster://h#m")));

        wrong.forEach((part, urls) -> assertThat(urls)
                .isNotEmpty()
                .allSatisfy(url -> assertThatThrownBy(() -> RedisLeaseStore.connect(url))
                        .as(url)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(part)
                        .hasMessageContaining("redis://host:port")
                        .hasNoCause()
                        .satisfies(e ->
                                assertThat(e.toString()).doesNotContain("s3c").doesNotContain("cret"))));
    }

    @Test
    void what_is_not_wrong_comes_to_what_it_says() {
        assertThat(LettuceUris.parse("redis://h").getPort()).isEqualTo(6379);
        assertThat(LettuceUris.parse("redis://h").getTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(LettuceUris.parse("redis://h?timeout=60s").getTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(LettuceUris.parse("redis://h?timeout=1d").getTimeout()).isEqualTo(Duration.ofDays(1));
        assertThat(LettuceUris.parse("redis://h?timeout=250").getTimeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(LettuceUris.parse("redis://h/?db=3").getDatabase()).isEqualTo(3);
        assertThat(LettuceUris.parse("redis://[::1]:7000/4").getPort()).isEqualTo(7000);
        RedisURI full = LettuceUris.parse("rediss://us%40er:s%2F3@my_host:7001/5?verifyPeer=ca&clientName=me");
        assertThat(full.getHost()).isEqualTo("my_host");
        assertThat(full.getPort()).isEqualTo(7001);
        assertThat(full.isSsl()).isTrue();
        assertThat(full.getDatabase()).isEqualTo(5);
        assertThat(full.getClientName()).isEqualTo("me");
        assertThat(LettuceUris.parse("redis-sentinel://:pw@a:26379,b#main").getSentinels())
                .hasSize(2);
        List<RedisURI> nodes = LettuceUris.nodes(
                ServerUrl.parse("rediss-cluster://us%40er:s%2F3@a:7000,[::1],c_d:7002/0?verifyPeer=ca&timeout=3s"));
        assertThat(nodes).extracting(RedisURI::getHost).containsExactly("a", "[::1]", "c_d");
        assertThat(nodes).extracting(RedisURI::getPort).containsExactly(7000, 6379, 7002);
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.isSsl()).isTrue();
            assertThat(node.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
            assertThat(node.getTimeout()).isEqualTo(Duration.ofSeconds(3));
        });
        assertThat(LettuceUris.parse("redis-socket:///run/redis.sock?db=1").getSocket())
                .isEqualTo("/run/redis.sock");
    }

    @Test
    void a_database_is_a_keyspace_of_its_own_and_one_that_the_server_lacks_is_refused_for_good() {
        String name = fresh("job");
        try (RedisLeaseStore one = RedisLeaseStore.connect(redis.uri() + "/1?timeout=10s");
                RedisLeaseStore two = RedisLeaseStore.connect(redis.uri() + "?database=2&timeout=10s")) {
            granted(one, lock(claim(name, "a")));
            granted(two, lock(claim(name, "b")));
        }
        StoreException e = failure(() -> RedisLeaseStore.connect(redis.uri() + "/999"));
        assertThat(e.isTransient()).as(e.getMessage()).isFalse();
    }

    // ---- what is missing at run time

    @Test
    void a_socket_without_a_native_transport_is_refused_for_good_and_leaves_no_thread() {
        Set<Thread> before = lettuceThreads();

        StoreException e = failure(() -> RedisLeaseStore.connect("redis-socket:///tmp/no-such.sock"));

        assertThat(e.isTransient()).as(e.getMessage()).isFalse();
        assertThat(e).hasMessageContaining("/tmp/no-such.sock").hasMessageContaining("netty-transport-native-epoll");
        Awaitility.await().untilAsserted(() -> assertThat(before).containsAll(lettuceThreads()));
    }

    @Test
    void a_client_that_knows_no_uri_or_is_shut_down_is_refused_for_good() {
        RedisClient nowhere = RedisClient.create();
        RedisClient over = RedisClient.create(redis.uri());
        over.shutdown(0, 2, TimeUnit.SECONDS);
        try {
            for (RedisClient client : List.of(nowhere, over)) {
                StoreException e = failure(() -> LettuceStores.of(client));
                assertThat(e.isTransient()).as(e.getMessage()).isFalse();
                assertThat(e).hasMessageContaining("to know its URI");
            }
        } finally {
            nowhere.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private static Set<Thread> lettuceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce"))
                .collect(Collectors.toSet());
    }
}
