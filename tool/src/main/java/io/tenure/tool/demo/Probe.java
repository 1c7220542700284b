package io.tenure.tool.demo;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The demo's own eyes: looks directly at the server, past the library that is being shown. */
final class Probe implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Duration LOOK_EVERY = Duration.ofMillis(1);
    /** How long before an expiry the close looking starts. */
    private static final long CLOSE = 100;

    private static final String LEASE =
            "local t = redis.call('TIME') return {t[1], t[2], redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[1]) or ''}";

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisCommands<String, String> redis;

    private Probe(RedisClient client, StatefulRedisConnection<String, String> connection) {
        this.client = client;
        this.connection = connection;
        this.redis = connection.sync();
    }

    /** @throws StepFailed when {@code server} does not answer, without telling its password */
    static Probe connect(Server server) throws StepFailed {
        RedisURI uri;
        try {
            uri = RedisURI.create(server.uri());
        } catch (IllegalArgumentException e) {
            throw new StepFailed("TENURE_REDIS does not name a server: give it the form redis://localhost:6379");
        }
        uri.setTimeout(BOUND);
        RedisClient client = RedisClient.create(uri);
        try {
            return new Probe(client, client.connect());
        } catch (RedisException e) {
            client.shutdown(Duration.ZERO, BOUND);
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StepFailed(
                    cause instanceof RedisCommandExecutionException
                            ? "The server " + server.origin() + " refuses the connection (" + cause.getMessage()
                                    + "): correct user and password in TENURE_REDIS"
                            : "The server " + server.origin() + " does not answer (" + cause.getMessage()
                                    + "): start it, or correct TENURE_REDIS");
        }
    }

    /** What the server says that it is. */
    String version() {
        String info = redis.info("server");
        String valkey = field(info, "valkey_version:");
        return valkey.isEmpty() ? "Redis " + field(info, "redis_version:") : "Valkey " + valkey;
    }

    /** The lease {@code name} at this moment. */
    Sighting lease(String name) {
        List<Object> seen = redis.eval(LEASE, ScriptOutputType.MULTI, new String[] {Names.leaseKey(name)});
        return new Sighting(
                Long.parseLong((String) seen.get(0)) * 1_000_000 + Long.parseLong((String) seen.get(1)),
                (Long) seen.get(2),
                (String) seen.get(3));
    }

    /**
     * Waits until somebody has {@code name} by another claim than {@code earlier}; looks every millisecond around the
     * expiry.
     *
     * @throws StepFailed when nobody had it {@code bound} after the expiry
     */
    Sighting awaitOther(String name, Sighting earlier, Duration bound) throws StepFailed, InterruptedException {
        Sighting seen = lease(name);
        Thread.sleep(Math.max(0, earlier.expiry() - CLOSE - seen.micros() / 1000));
        while (!seen.isHeldOtherwiseThan(earlier)) {
            if (seen.after(earlier) > bound.toMillis()) {
                throw new StepFailed(String.format(
                        Locale.ROOT,
                        "Waited until %d s after the lease's expiry for another leader," + " in vain",
                        bound.toSeconds()));
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
            seen = lease(name);
        }
        return seen;
    }

    /** Waits until one waiter of {@code name} stands in line. */
    void awaitWaiter(String name, Duration bound) throws StepFailed {
        long deadline = System.nanoTime() + bound.toNanos();
        while (redis.zcard(Names.waitersKey(name)) == 0) {
            if (System.nanoTime() > deadline) {
                throw new StepFailed(
                        "Waited " + bound.toSeconds() + " s for a waiter to stand in line for the lock, in vain");
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    /** What the leaders' writes left: the hash's field and the string. */
    List<String> stored(Names names) {
        return List.of(orNothing(redis.hget(names.hash(), Names.FIELD)), orNothing(redis.get(names.text())));
    }

    /** Deletes every key of the demo. */
    void delete(Names names) {
        redis.del(names.keys().toArray(String[]::new));
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, BOUND);
    }

    private static String orNothing(@Nullable String value) {
        return Objects.requireNonNullElse(value, "nothing");
    }

    private static String field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElse(name)
                .substring(name.length())
                .strip();
    }
}
