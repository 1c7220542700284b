package io.tenure.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis server for one test class: a child process on a free loopback port, gone with its folder afterwards. Another
 * server than the one in the test's class path is named by {@code -Dtenure.redis.server=/path/to/server}.
 */
public final class RedisServerRule implements BeforeAllCallback, AfterAllCallback {
    private final List<String> settings;
    private Path folder;
    private File binary;
    private Process process;
    private int port;
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;

    public RedisServerRule(String... settings) {
        this.settings = List.of(settings);
    }

    /** A nested class inherits the rule of the one around it, and its server. */
    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().getEnclosingClass() != null;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        if (isNested(context)) {
            return;
        }
        folder = Files.createTempDirectory("tenure-redis");
        String other = System.getProperty("tenure.redis.server");
        binary = other == null
                ? ExecutableProvider.newJarResourceProvider(folder.toFile()).get()
                : new File(other);
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        // A run that is cut short reaches no afterAll, and the server would outlive it.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly()));
        start();
    }

    /** Starts it again after {@link #stop}, on the same port and folder: what it has kept there, it knows. */
    public void start() {
        List<String> command = new ArrayList<>(List.of(
                binary.getPath(),
                "--port",
                "" + port,
                "--bind",
                "127.0.0.1",
                "--dir",
                folder.toString(),
                "--save",
                ""));
        command.addAll(settings);
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("server.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .ignoreExceptions()
                .until(this::accepts);
        client = RedisClient.create(uri());
        connection = client.connect();
    }

    private boolean accepts() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
            return true;
        }
    }

    /** Kills it hard, whatever state it is in: SIGKILL. What the settings given to it do not save is lost. */
    public void stop() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
        process.destroyForcibly();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The server " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (isNested(context)) {
            return;
        }
        stop();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Stops it where it is: SIGSTOP. Connections stay, connecting too; nothing is answered. */
    public void pause() {
        Signals.pause(process.pid());
    }

    /** Lets it go on: SIGCONT. */
    public void resume() {
        Signals.resume(process.pid());
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

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }
}
