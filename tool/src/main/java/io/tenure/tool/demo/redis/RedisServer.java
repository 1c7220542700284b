package io.tenure.tool.demo.redis;

import io.tenure.tool.demo.Cleanup;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.StepFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** Starts the Redis server that the demo runs on. */
final class RedisServer {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final int PORTS_TO_TRY = 3;

    /** A server program that may be there and may run. */
    record Candidate(String origin, Finder finder) {}

    /** Finds a server program, or tells in an exception why there is none. */
    @FunctionalInterface
    interface Finder {
        String find(Path directory) throws IOException;
    }

    /** The program that comes with the tool, then the one on the PATH. */
    static final List<Candidate> CANDIDATES = List.of(
            new Candidate("bundled with the tool", RedisServer::bundled),
            new Candidate("redis-server of this system", directory -> "redis-server"));

    private RedisServer() {}

    /**
     * Starts the first candidate that runs, on a free loopback port, without persistence.
     *
     * @throws StepFailed when none does, telling why and what to do
     */
    static Server start(List<Candidate> candidates, Cleanup cleanup) throws StepFailed, InterruptedException {
        List<String> reasons = new ArrayList<>();
        for (Candidate candidate : candidates) {
            try {
                String program = cleanup.whileOpen(() -> candidate.finder().find(cleanup.directory()));
                return new Server("redis://127.0.0.1:" + start(program, cleanup), candidate.origin());
            } catch (IOException | RuntimeException e) {
                reasons.add(candidate.origin() + ": " + e.getMessage());
            }
        }
        throw new StepFailed("No Redis server could be started (" + String.join("; ", reasons)
                + "): install redis-server, or name a server of yours, as in " + Server.VARIABLE
                + "=redis://localhost:6379");
    }

    private static int start(String program, Cleanup cleanup) throws IOException, InterruptedException {
        IOException reason = new IOException("no port was tried");
        for (int i = 0; i < PORTS_TO_TRY; i++) {
            int port = freePort();
            Path log = cleanup.directory().resolve("server-" + port + ".log");
            Process process = cleanup.start(new ProcessBuilder(
                            program,
                            "--bind",
                            "127.0.0.1",
                            "--port",
                            Integer.toString(port),
                            "--save",
                            "",
                            "--appendonly",
                            "no",
                            "--daemonize",
                            "no",
                            "--dir",
                            cleanup.directory().toString())
                    .directory(cleanup.directory().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile()));
            if (isReady(process, log)) {
                return port;
            }
            process.destroyForcibly().waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            cleanup.forget(process);
            List<String> lines = Files.readAllLines(log);
            reason = new IOException(
                    lines.isEmpty()
                            ? "it said nothing"
                            : lines.get(lines.size() - 1).strip());
            if (lines.stream().noneMatch(line -> line.contains("Address already in use"))) {
                break; // another port would not help
            }
        }
        throw reason;
    }

    private static boolean isReady(Process process, Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (System.nanoTime() < deadline) {
            if (Files.readString(log).contains("Ready to accept connections")) {
                return true;
            }
            if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return false;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String bundled(Path directory) throws IOException {
        return ExecutableProvider.newJarResourceProvider(directory.toFile())
                .get()
                .toString();
    }
}
