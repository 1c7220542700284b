package io.tenure.verification;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import redis.embedded.core.ExecutableProvider;

/** A Redis server on a free port, for applications that are started as processes of their own. */
final class LocalRedis implements AutoCloseable {
    private final Process server;
    private final int port;

    private LocalRedis(Process server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Starts one that keeps what it needs in {@code folder}, and waits until it answers. */
    static LocalRedis in(Path folder) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String binary =
                ExecutableProvider.newJarResourceProvider(folder.toFile()).get().getPath();
        Process server = new ProcessBuilder(binary, "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Awaitility.await().until(() -> Files.readString(folder.resolve("log")).contains("Ready to accept"));
        return new LocalRedis(server, port);
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        server.destroyForcibly().onExit().join();
    }
}
