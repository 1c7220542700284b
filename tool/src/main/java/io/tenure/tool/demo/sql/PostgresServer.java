package io.tenure.tool.demo.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.tool.demo.Cleanup;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.StepFailed;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Starts the PostgreSQL that comes with the tool, in the demo's folder. A process of its own does so, which ends once the
 * server runs: what unpacks and starts it leaves files where its process has its temporary ones.
 */
public final class PostgresServer {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String RUNS = "port ";
    private static final String SECRET = "secret";

    private PostgresServer() {}

    static Server start(Cleanup cleanup) throws StepFailed {
        try {
            return cleanup.whileOpen(() -> startInFolder(cleanup));
        } catch (IOException | RuntimeException e) {
            throw new StepFailed("No PostgreSQL server could be started (" + e.getMessage()
                    + "): name a server of yours, as in " + Server.VARIABLE + "=" + Database.POSTGRES.form());
        }
    }

    private static Server startInFolder(Cleanup cleanup) throws IOException, InterruptedException {
        Path folder = cleanup.directory();
        String password = Secret.random();
        Files.writeString(folder.resolve(SECRET), password);
        cleanup.endServer(data(folder).resolve("postmaster.pid"));
        Path log = folder.resolve("start.log");
        Process starter = cleanup.start(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + folder,
                        "-Dot.epg.working-dir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        PostgresServer.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile()));
        starter.waitFor();
        cleanup.forget(starter);
        String said = Files.readString(log, UTF_8).strip();
        if (!said.startsWith(RUNS)) {
            throw new IOException(said.isEmpty() ? "it said nothing" : said);
        }
        return new Server(
                "jdbc:postgresql://127.0.0.1:" + said.substring(RUNS.length()) + "/postgres?user=postgres&password="
                        + password,
                "bundled with the tool");
    }

    private static Path data(Path folder) {
        return folder.resolve("data");
    }

    /** Starts the server in the folder that is given, and tells its port or why there is none; started by the demo only. */
    public static void main(String[] arguments) {
        try {
            System.out.println(RUNS + run(Path.of(arguments[0])));
        } catch (IOException | RuntimeException e) {
            System.out.println(
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()));
            System.exit(1);
        }
    }

    /** The server is no child of this process, and goes on without it. */
    private static int run(Path folder) throws IOException {
        Path secret = folder.resolve(SECRET);
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.toFile())
                .setDataDirectory(data(folder))
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(BOUND)
                // These are arguments of initdb: without them everybody on the machine would be let in.
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", secret.toString())
                .setConnectConfig("password", Files.readString(secret))
                .setServerConfig("unix_socket_directories", "")
                // In the folder, which is removed, instead of in the machine's memory, where it would stay.
                .setServerConfig("dynamic_shared_memory_type", "mmap")
                .setServerConfig("shared_buffers", "16MB")
                .start()
                .getPort();
    }
}
