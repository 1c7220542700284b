package io.tenure.jdbc.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;

/** A PostgreSQL and its standby, which follows it without making it wait. For one thread. */
public final class PostgresPair implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Path home;
    private final int primaryPort;
    private final int standbyPort;
    private final EmbeddedPostgres primary;
    private final EmbeddedPostgres standby;

    private PostgresPair(Path home) throws IOException {
        this.home = home;
        primaryPort = freePort();
        standbyPort = freePort();
        Path first = home.resolve("primary");
        Path second = home.resolve("standby");
        started(first, primaryPort).close(); // one that was shut down can be copied
        copy(first, second);
        Files.createFile(second.resolve("standby.signal"));
        Files.writeString(
                second.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + primaryPort + " user=postgres'\n",
                UTF_8,
                StandardOpenOption.APPEND);
        primary = started(first, primaryPort);
        standby = started(second, standbyPort);
    }

    /** Both are up, and the standby has all that there is. */
    public static PostgresPair start() throws IOException, SQLException {
        PostgresPair pair = new PostgresPair(Files.createTempDirectory("tenure-pair"));
        pair.awaitCaughtUp();
        return pair;
    }

    private static EmbeddedPostgres started(Path data, int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setPGStartupWait(BOUND)
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "on") // what is committed is in the log that the standby gets
                .setServerConfig("shared_buffers", "16MB")
                .setServerConfig("wal_keep_size", "64MB")
                .setServerConfig("hot_standby", "on")
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwx------"));
    }

    /** As users are told to: whichever of the two is the primary. */
    public PGSimpleDataSource whicheverIsPrimary() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL("jdbc:postgresql://127.0.0.1:" + primaryPort + ",127.0.0.1:" + standbyPort
                + "/postgres?targetServerType=primary&hostRecheckSeconds=0&connectTimeout=1&loginTimeout=1");
        source.setUser("postgres");
        return source;
    }

    /** The standby alone, also once it is the primary. */
    public PGSimpleDataSource standby() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL("jdbc:postgresql://127.0.0.1:" + standbyPort + "/postgres");
        source.setUser("postgres");
        return source;
    }

    /** Returns when the standby has replayed all that the primary has written. */
    public void awaitCaughtUp() throws SQLException {
        String written = ask(primary.getPostgresDatabase().getConnection(), "SELECT pg_current_wal_lsn()");
        Awaitility.await("the standby")
                .atMost(BOUND)
                .until(() -> ask(
                                standby().getConnection(),
                                "SELECT pg_last_wal_replay_lsn() >= '" + written + "'::pg_lsn")
                        .equals("t"));
    }

    /** What is committed on the primary from now on never arrives on the standby. */
    public void cutLink() throws SQLException {
        try (Connection connection = standby().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET primary_conninfo = ''");
            statement.execute("SELECT pg_reload_conf()");
        }
        Awaitility.await("the end of the link")
                .atMost(BOUND)
                .until(() -> ask(standby().getConnection(), "SELECT count(*) FROM pg_stat_wal_receiver")
                        .equals("0"));
    }

    /** Kills the primary hard, and returns when the standby is one. */
    public void failOver() throws SQLException, IOException {
        // The process that was started may be one that only gave up the rights of root, and waits.
        long pid = Long.parseLong(Files.readAllLines(home.resolve("primary/postmaster.pid"))
                .get(0)
                .strip());
        ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
        server.destroyForcibly();
        Awaitility.await("the end of the primary").atMost(BOUND).until(() -> !server.isAlive() && isGone(primaryPort));
        ask(standby().getConnection(), "SELECT pg_promote(true, " + BOUND.toSeconds() + ")");
    }

    private static boolean isGone(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), (int) BOUND.toMillis());
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (connection;
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Override
    public void close() throws IOException {
        for (EmbeddedPostgres server : List.of(standby, primary)) {
            server.close();
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
