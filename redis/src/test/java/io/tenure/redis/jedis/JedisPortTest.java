package io.tenure.redis.jedis;

import static io.tenure.redis.StoreFixture.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.tenure.StoreException;
import io.tenure.redis.JedisStores;
import io.tenure.redis.RedisLeaseStore;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import io.tenure.redis.RedisServerRule;
import io.tenure.redis.RedisStoreOptions;
import io.tenure.redis.StoreFixture;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.util.Pool;

/** Threads, connections and time-outs of a port over a client that blocks. */
class JedisPortTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final JedisLimits LIMITS = new JedisLimits(LONG, 4, 1, Duration.ofMillis(100), LONG);
    private static final RedisScript COUNT = RedisScript.of("count", "return redis.call('INCR', KEYS[1])");
    private static final RedisScript READ = RedisScript.of("read", "return redis.call('GET', KEYS[1])");

    @RegisterExtension
    static final RedisServerRule redis = new RedisServerRule();

    private final CountDownLatch release = new CountDownLatch(1);
    private final List<AutoCloseable> open = new ArrayList<>();
    private byte[][] key;

    @BeforeEach
    void fresh() {
        key = new byte[][] {StoreFixture.fresh("job").getBytes(UTF_8)};
    }

    @AfterEach
    void closeAll() throws Exception {
        release.countDown();
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** Two threads for renewals and two for all else, each with room for one more call. */
    private JedisNodes small() {
        UnifiedJedis client = JedisFixture.client("127.0.0.1", redis.port(), LONG);
        open.add(client);
        JedisNodes nodes = new JedisNodes(JedisClients.topology(client), LIMITS);
        open.add(0, nodes::close);
        return nodes;
    }

    private RedisPort port(Duration socketTimeout) {
        UnifiedJedis client = JedisFixture.client("127.0.0.1", redis.port(), socketTimeout);
        open.add(client);
        RedisPort port = JedisStores.port(client);
        open.add(0, port);
        return port;
    }

    /** A call that keeps its thread until the test is over, and is told when it has one. */
    private CompletableFuture<Boolean> block(JedisNodes nodes, CountDownLatch running) {
        return new JedisCall<>(nodes, -1, nodes.owner(-1), JedisCall.Urgency.CAN_WAIT, (connection, node, route) -> {
                    running.countDown();
                    return awaitRelease();
                })
                .start();
    }

    private boolean awaitRelease() {
        try {
            return release.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void blockTwo(JedisNodes nodes) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(2);
        block(nodes, running);
        block(nodes, running);
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_call_that_finds_all_threads_busy_and_the_queue_full_fails_at_once_and_holds_up_no_renewal()
            throws Exception {
        JedisNodes nodes = small();
        RedisPort port = new JedisPort(nodes, LIMITS);
        try (RedisLeaseStore store = RedisLeaseStore.over(port, RedisStoreOptions.defaults())) {
            Claim held = hold(store, lock(claim(new String(key[0], UTF_8), "a")));
            blockTwo(nodes);
            CompletionStage<RedisReply> queued = port.run(COUNT, key);

            StoreException full = failure(() -> get(port.run(COUNT, key)));

            assertThat(full.isTransient()).isTrue();
            assertThat(full).hasMessageContaining("Nothing was sent").hasMessageContaining("maxTotal");
            assertThat(renew(store, held, LeaseKind.LOCK)).isInstanceOf(Renewal.Renewed.class);
            assertThat(release(store, held)).isTrue();
            assertThat(queued.toCompletableFuture()).isNotDone();
            release.countDown();
            assertThat(get(queued).asLong()).isEqualTo(1);
        }
    }

    @Test
    void a_call_that_is_cancelled_while_it_waits_for_a_thread_is_never_sent_and_leaves_its_place() throws Exception {
        JedisNodes nodes = small();
        RedisPort port = new JedisPort(nodes, LIMITS);
        blockTwo(nodes);
        CompletionStage<RedisReply> abandoned = port.run(COUNT, key);
        abandoned.toCompletableFuture().cancel(false);

        CompletionStage<RedisReply> next = port.run(COUNT, key);
        release.countDown();

        assertThat(get(next).asLong()).isEqualTo(1);
        assertThat(get(port.run(READ, key)).asLong()).isEqualTo(1);
    }

    @Test
    void closing_fails_what_waits_and_lets_all_threads_end() throws Exception {
        JedisNodes nodes = small();
        RedisPort port = new JedisPort(nodes, LIMITS);
        blockTwo(nodes);
        CompletionStage<RedisReply> waiting = port.run(COUNT, key);

        port.close();

        for (CompletionStage<RedisReply> call : List.of(waiting, port.run(COUNT, key))) {
            StoreException e = failure(() -> get(call));
            assertThat(e.isTransient()).isFalse();
            assertThat(e).hasMessageContaining("is closed");
        }
        release.countDown();
        await().until(() -> threads() == 0);
        assertThat(redis.cli().get(new String(key[0], UTF_8))).isNull();
    }

    @Test
    void threads_end_when_they_have_been_idle() {
        JedisNodes nodes = small();
        assertThat(get(new JedisPort(nodes, LIMITS).run(COUNT, key)).asLong()).isEqualTo(1);

        await().until(() -> threads() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tenure-redis-call 127.0.0.1:" + redis.port()))
                .count();
    }

    @Test
    void a_server_that_hangs_is_given_up_after_the_socket_time_out_and_used_again_when_it_goes_on() {
        RedisPort port = port(SHORT);
        List<String> returns = new java.util.concurrent.CopyOnWriteArrayList<>();
        port.onReturn(() -> returns.add("back"));
        assertThat(get(port.run(COUNT, key)).asLong()).isEqualTo(1);
        assertThat(port.timeout()).isEqualTo(SHORT);
        assertThat(returns).isEmpty();
        redis.pause();
        try {
            StoreException e = failure(() -> get(port.run(READ, key)));

            assertThat(e.isTransient()).isTrue();
            assertThat(e).hasMessageContaining("127.0.0.1:" + redis.port()).hasMessageContaining("in time");
            assertThat(returns).isEmpty();
        } finally {
            redis.resume();
        }
        await().ignoreExceptions().until(() -> get(port.run(READ, key)).asLong() == 1);
        await().untilAsserted(() -> assertThat(returns).hasSize(1));
    }

    @Test
    void law25_a_connection_that_is_cut_fails_what_was_under_way_at_once_alone_and_nothing_is_sent_again() {
        RedisClient client = JedisFixture.client("127.0.0.1", redis.port(), LONG);
        open.add(client);
        RedisPort port = JedisStores.port(client);
        open.add(0, port);
        cutUnderWay(port, client.getPool());
    }

    @Test
    void law25_a_client_that_was_told_to_try_again_does_not_do_so_with_our_scripts() {
        PooledConnectionProvider provider = new PooledConnectionProvider(
                new HostAndPort(RedisProcess.HOST, redis.port()), JedisFixture.config(LONG));
        UnifiedJedis client = JedisFixture.retrying(provider);
        open.add(client);
        RedisPort port = JedisStores.port(client);
        open.add(0, port);
        cutUnderWay(port, provider.getPool());
    }

    private void cutUnderWay(RedisPort port, Pool<Connection> pool) {
        for (int i = 0; i < 20; i++) {
            get(port.run(COUNT, key));
        }
        // Several lie idle afterwards, all of which will be cut.
        List<Connection> borrowed = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            borrowed.add(pool.getResource());
        }
        borrowed.forEach(Connection::close);
        assertThat(pool.getNumIdle()).isGreaterThan(5);
        List<CompletionStage<RedisReply>> next = new ArrayList<>();
        redis.pauseWrites();
        try {
            CompletionStage<RedisReply> underWay = port.run(COUNT, key);
            await().until(() -> redis.cli().clientList().contains("cmd=evalsha"));
            redis.cli().clientKill(KillArgs.Builder.typeNormal().skipme());

            StoreException e = failure(() -> get(underWay));

            assertThat(e.isTransient()).isTrue();
            assertThat(e).hasMessageContaining("may have been carried out");
            // At once, so that each needs a connection: one alone would get the one that the pool made in place of the
            // lost.
            for (int i = 0; i < 4; i++) {
                next.add(port.run(COUNT, key));
            }
        } finally {
            redis.unpause();
        }
        assertThat(next)
                .as("none of the next calls meets a connection that was cut while it lay idle")
                .extracting(call -> get(call).asLong())
                .containsExactlyInAnyOrder(21L, 22L, 23L, 24L);
    }

    @Test
    void law29_a_script_that_was_flushed_is_sent_by_its_text_again() {
        RedisPort port = port(LONG);
        assertThat(get(port.run(COUNT, key)).asLong()).isEqualTo(1);
        redis.cli().scriptFlush();

        assertThat(get(port.run(COUNT, key)).asLong()).isEqualTo(2);
    }

    @Test
    void what_scripts_are_given_and_answer_is_told_byte_by_byte() {
        RedisPort port = port(LONG);
        byte[] bytes = {0, 1, '\r', '\n', (byte) 0xff, (byte) 0xc3};
        RedisScript echo = RedisScript.of(
                "echo",
                "return {ARGV[1], 7, {false, 'x'}, redis.status_reply('fine'), redis.pcall('HGET', KEYS[1]), #KEYS[1]}");

        List<RedisReply> reply =
                get(port.run(echo, new byte[][] {bytes}, bytes)).asList();

        assertThat(reply.get(0).asBytes()).isEqualTo(bytes);
        assertThat(reply.get(1).asLong()).isEqualTo(7);
        assertThat(reply.get(2).asList().get(0).isNil()).isTrue();
        assertThat(reply.get(2).asList().get(1).asString()).isEqualTo("x");
        assertThat(reply.get(3).asString()).isEqualTo("fine");
        assertThat(reply.get(4).isNil()).as("an error inside a list").isTrue();
        assertThat(reply.get(5).asLong()).isEqualTo(bytes.length);
    }

    @Test
    void all_keys_of_a_pattern_are_found_page_by_page() {
        RedisPort port = port(LONG);
        for (int i = 0; i < 1_200; i++) {
            redis.cli().set("scan:" + i, "x");
        }

        assertThat(get(port.keys("scan:*".getBytes(UTF_8))).stream().map(found -> new String(found, UTF_8)))
                .hasSizeGreaterThanOrEqualTo(1_200)
                .contains("scan:0", "scan:1199")
                .allMatch(found -> found.startsWith("scan:"));
    }
}
