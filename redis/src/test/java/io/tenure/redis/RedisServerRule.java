package io.tenure.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ServerFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Redis server for one test class, and commands of Lettuce for it. */
public final class RedisServerRule implements ServerFixture {
    private final String[] settings;
    private RedisProcess server;
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;

    public RedisServerRule(String... settings) {
        this.settings = settings.clone();
    }

    @Override
    public void open() {
        server = RedisProcess.of(settings);
        start();
    }

    /** Starts it again after {@link #stop}, on the same port and folder: what it has kept there, it knows. */
    public void start() {
        server.start();
        client = RedisClient.create(uri());
        connection = client.connect();
    }

    /** Kills it hard, whatever state it is in: SIGKILL. What the settings given to it do not save is lost. */
    public void stop() {
        if (client != null) {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
        server.stop();
    }

    @Override
    public void close() {
        stop();
        server.close();
    }

    /** Stops it where it is: SIGSTOP. Connections stay, connecting too; nothing is answered. */
    public void pause() {
        server.pause();
    }

    /** Lets it go on: SIGCONT. */
    public void resume() {
        server.resume();
    }

    /** Its clock, in microseconds. */
    public long micros() {
        List<String> time = cli().time();
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    /** Blocking commands of the test's own, beside the store. */
    public RedisCommands<String, String> cli() {
        return connection.sync();
    }

    /** Leaves writing commands, scripts among them, unanswered until {@link #unpause()}. */
    public void pauseWrites() {
        cli().dispatch(
                        CommandType.CLIENT,
                        new StatusOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8)
                                .add("PAUSE")
                                .add(60_000)
                                .add("WRITE"));
    }

    public void unpause() {
        cli().dispatch(
                        CommandType.CLIENT,
                        new StatusOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8).add("UNPAUSE"));
    }

    RedisProcess server() {
        return server;
    }

    public String uri() {
        return server.uri();
    }

    public int port() {
        return server.port();
    }

    /** Where it keeps its files. */
    public Path folder() {
        return server.folder();
    }

    public long pid() {
        return server.pid();
    }
}
