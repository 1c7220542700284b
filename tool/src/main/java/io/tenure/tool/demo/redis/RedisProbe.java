package io.tenure.tool.demo.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.tenure.tool.demo.Names;
import io.tenure.tool.demo.Probe;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.Sighting;
import io.tenure.tool.demo.StepFailed;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks at Redis. */
final class RedisProbe implements Probe {
    private static final String LEASE =
            "local t = redis.call('TIME') return {t[1], t[2], redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[1]) or ''}";

    private final RedisKeys keys;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private RedisProbe(RedisKeys keys, RedisClient client, StatefulRedisConnection<String, String> connection) {
        this.keys = keys;
        this.client = client;
        this.connection = connection;
    }

    /** @throws StepFailed when {@code url} is none, without repeating it */
    static RedisURI parse(String url) throws StepFailed {
        try {
            return RedisURI.create(url);
        } catch (IllegalArgumentException e) {
            throw Server.notOne(url, "Redis server", "redis://localhost:6379");
        }
    }

    static RedisProbe connect(Server server, Names names) throws StepFailed {
        RedisURI uri = parse(server.url());
        uri.setTimeout(BOUND);
        RedisClient client = RedisClient.create(uri);
        try {
            return new RedisProbe(RedisKeys.of(names), client, client.connect());
        } catch (RedisException e) {
            client.shutdown(Duration.ZERO, BOUND);
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StepFailed(
                    cause instanceof RedisCommandExecutionException
                            ? "The server " + server.origin() + " refuses the connection (" + cause.getMessage()
                                    + "): correct user and password in " + Server.VARIABLE
                            : "The server " + server.origin() + " does not answer (" + cause.getMessage()
                                    + "): start it, or correct " + Server.VARIABLE);
        }
    }

    private <T> T ask(Function<RedisCommands<String, String>, T> question) throws StepFailed {
        try {
            return question.apply(connection.sync());
        } catch (RedisException | CancellationException e) { // the second: closed meanwhile
            throw new StepFailed("The server could not be asked: " + e.getMessage(), e);
        }
    }

    @Override
    public String version() throws StepFailed {
        String info = ask(redis -> redis.info("server"));
        String valkey = field(info, "valkey_version:");
        return valkey.isEmpty() ? "Redis " + field(info, "redis_version:") : "Valkey " + valkey;
    }

    /** Keys come into being by themselves. */
    @Override
    public void prepare() {}

    @Override
    public Sighting lease(String name) throws StepFailed {
        List<Object> seen =
                ask(redis -> redis.eval(LEASE, ScriptOutputType.MULTI, new String[] {RedisKeys.lease(name)}));
        return new Sighting(
                Long.parseLong((String) seen.get(0)) * 1_000_000 + Long.parseLong((String) seen.get(1)),
                (Long) seen.get(2),
                (String) seen.get(3));
    }

    @Override
    public boolean hasWaiter(String name) throws StepFailed {
        return ask(redis -> redis.zcard(RedisKeys.waiters(name))) > 0;
    }

    @Override
    public List<String> stored() throws StepFailed {
        return ask(redis ->
                List.of(orNothing(redis.hget(keys.hash(), RedisKeys.FIELD)), orNothing(redis.get(keys.text()))));
    }

    @Override
    public void delete() throws StepFailed {
        ask(redis -> redis.del(keys.all().toArray(String[]::new)));
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
