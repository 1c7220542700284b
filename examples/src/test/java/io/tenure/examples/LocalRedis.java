package io.tenure.examples;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.core.ExecutableProvider;

/** A Redis server for one test class: a child process on a free loopback port, gone with its folder afterwards. */
public final class LocalRedis implements BeforeAllCallback, AfterAllCallback {
    private Path folder;
    private Process process;
    private int port;
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        folder = Files.createTempDirectory("tenure-examples");
        File binary = ExecutableProvider.newJarResourceProvider(folder.toFile()).get();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        process = new ProcessBuilder(
                        binary.getPath(),
                        "--port",
                        "" + port,
                        "--bind",
                        "127.0.0.1",
                        "--dir",
                        folder.toString(),
                        "--save",
                        "")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
        // A run that is cut short reaches no afterAll, and the server would outlive it.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
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

    @Override
    public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
        client.shutdown(0, 2, TimeUnit.SECONDS);
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The server " + process.pid() + " does not end");
        }
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }

    public String uri() {
        return uri(port);
    }

    /** The same by way of another port. */
    public String uri(int other) {
        return "redis://127.0.0.1:" + other;
    }

    public int port() {
        return port;
    }

    /** Blocking commands of the test's own. */
    public RedisCommands<String, String> cli() {
        return connection.sync();
    }
}
