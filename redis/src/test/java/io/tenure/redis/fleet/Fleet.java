package io.tenure.redis.fleet;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.ElectorOptions;
import io.tenure.TokenSource;
import io.tenure.redis.RedisServerRule;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Instances of both kinds that contend for one role on one server; all are gone after each test. */
final class Fleet implements BeforeEachCallback, AfterEachCallback {
    /** Longer than anything takes on a busy machine; reached only by tests that fail. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Longer than any test. */
    static final Duration LONG = Duration.ofMinutes(10);

    /** A term that outlasts a busy machine, while everything that goes by the pace is quick. */
    static final ElectorOptions QUICK = ElectorOptions.ofTtl(Duration.ofSeconds(20))
            .renewEvery(Duration.ofMillis(200))
            .retryEvery(Duration.ofMillis(200))
            .build();

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final RedisServerRule server;
    private final Deque<AutoCloseable> all = new ArrayDeque<>();
    private String role = "";

    Fleet(RedisServerRule server) {
        this.server = server;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        role = "fleet-" + NUMBERS.incrementAndGet();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        while (!all.isEmpty()) {
            all.pop().close();
        }
    }

    /** The role of this test. */
    String role() {
        return role;
    }

    /** A key that instances of both kinds write. */
    String resource() {
        return role + ":resource";
    }

    JavaInstance java(String holder, TokenSource tokens, ElectorOptions options) {
        JavaInstance made = new JavaInstance(server.uri(), role, holder, tokens, options);
        all.push(made);
        return made;
    }

    JavaInstance java(TokenSource tokens) {
        return java("java-" + NUMBERS.incrementAndGet(), tokens, QUICK);
    }

    JavaInstance java() {
        return java(TokenSource.STORE_CLOCK);
    }

    GoInstance go(String id) {
        GoInstance made = new GoInstance(server.uri(), role, id);
        all.push(made);
        return made;
    }

    GoInstance go() {
        return go("go-host-" + NUMBERS.incrementAndGet());
    }

    /** One that polls and renews by itself. */
    GoElector goElector(Duration ttl, Duration acquireEvery, LongConsumer work) {
        return goElector(go(), ttl, acquireEvery, work);
    }

    GoElector goElector(GoInstance instance, Duration ttl, Duration acquireEvery, LongConsumer work) {
        GoElector made = new GoElector(instance, ttl, acquireEvery, work);
        all.push(made);
        made.start();
        return made;
    }

    RedisCommands<String, String> cli() {
        return server.cli();
    }

    /** Value of the lease; empty when there is none. */
    String lease() {
        String value = cli().get(role + ":leader");
        return value == null ? "" : value;
    }

    String counter() {
        return cli().get(role + ":fence");
    }

    String mark() {
        return cli().get(role + ":fence:applied");
    }

    /** When the lease ends without another renewal, by the server's clock, in microseconds; to the millisecond. */
    long expiry() {
        List<Long> answer = cli().eval(
                        "local time = redis.call('TIME')"
                                + " return {time[1] * 1000 + math.floor(time[2] / 1000), redis.call('PTTL', KEYS[1])}",
                        ScriptOutputType.MULTI,
                        role + ":leader");
        if (answer.get(1) < 0) {
            throw new AssertionError("no lease of " + role);
        }
        return (answer.get(0) + answer.get(1)) * 1_000;
    }

    /** Waits until {@code condition} holds; fails the test when it never does. */
    static void until(String what, BooleanSupplier condition) {
        await(what)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(condition::getAsBoolean);
    }

    /** A pause that is a part of the story. */
    static void passes(Duration span) {
        long end = System.nanoTime() + span.toNanos();
        for (long left = span.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
