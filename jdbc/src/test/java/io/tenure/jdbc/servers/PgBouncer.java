package io.tenure.jdbc.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PgBouncer in transaction mode, by the program that {@code -Dtenure.pgbouncer=/path/to/pgbouncer} names: each transaction
 * of a client runs on whichever of a few sessions of the server is free. To be registered in a static field, before the
 * database that it is asked for first; it serves all databases of that one's server.
 */
public final class PgBouncer implements AfterAllCallback {
    /** Names the program. */
    public static final String PROPERTY = "tenure.pgbouncer";

    private static final String HOST = "127.0.0.1";
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final int STARTS = 3;
    private static final Pattern VERSION = Pattern.compile("PgBouncer (\\d+)\\.(\\d+)");
    /** From this one on it could follow prepared statements, and is kept from it: the older ones cannot. */
    private static final int[] FOLLOWS_STATEMENTS = {1, 21};

    /**
     * All that a session can keep for the next transaction. Not what PgBouncer itself carries from client to client, nor
     * what every transaction begins with anew.
     */
    private static final String LEFT =
            "SELECT 'setting ' || name || '=' || setting FROM pg_settings WHERE source = 'session'"
                    + " AND lower(name) NOT IN ('application_name', 'client_encoding', 'datestyle', 'timezone',"
                    + " 'standard_conforming_strings', 'transaction_isolation', 'transaction_read_only', 'transaction_deferrable')"
                    + " UNION ALL SELECT 'statement ' || statement FROM pg_prepared_statements"
                    + " UNION ALL SELECT 'channel ' || c FROM pg_listening_channels() c"
                    + " UNION ALL SELECT 'lock ' || objid FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'"
                    + " UNION ALL SELECT 'table ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()"
                    + " UNION ALL SELECT 'cursor ' || name FROM pg_cursors WHERE name <> ''";

    private final int sessions;
    private @Nullable Path folder;
    private @Nullable Process process;
    private int port;

    private PgBouncer(int sessions) {
        this.sessions = sessions;
    }

    /** One with so many sessions of the server. */
    public static PgBouncer withSessions(int sessions) {
        return new PgBouncer(sessions);
    }

    /** Clients as the page of the store advises: without statements that the driver keeps prepared. */
    public DataSource dataSource(SqlDatabase database) throws SQLException {
        return dataSource(database, 0);
    }

    /** @param prepareThreshold from which time on the driver keeps a statement prepared; 0 for never */
    public DataSource dataSource(SqlDatabase database, int prepareThreshold) throws SQLException {
        PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
        if (process == null) {
            start(source);
        }
        source.setServerNames(new String[] {HOST});
        source.setPortNumbers(new int[] {port});
        source.setPrepareThreshold(prepareThreshold);
        return source;
    }

    /** What earlier transactions left on the sessions of the server, looking at all of them at once. */
    public List<String> leftOnSessions(SqlDatabase database) throws SQLException {
        List<String> left = new ArrayList<>();
        onEach(database, connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(LEFT)) {
                while (rows.next()) {
                    left.add(rows.getString(1));
                }
            }
        });
        return left;
    }

    /** Runs a statement on every session of the server. */
    public void onEachSession(SqlDatabase database, String sql) throws SQLException {
        onEach(database, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        });
    }

    @FunctionalInterface
    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private void onEach(SqlDatabase database, Work work) throws SQLException {
        List<Connection> open = new ArrayList<>();
        try {
            for (int i = 0; i < sessions; i++) {
                Connection connection = dataSource(database).getConnection();
                open.add(connection);
                connection.setAutoCommit(false);
                work.on(connection); // and the session stays with it
            }
            for (Connection connection : open) {
                connection.commit();
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    /** Once more when it ends at once: a port may be taken meanwhile. */
    private void start(PGSimpleDataSource server) {
        try {
            folder = Files.createTempDirectory("tenure-pgbouncer");
            for (int attempt = 1; process == null; attempt++) {
                launch(server, folder);
                Awaitility.await("PgBouncer listens")
                        .atMost(BOUND)
                        .pollInSameThread()
                        .until(() -> listens() || !running().isAlive());
                if (!running().isAlive()) {
                    process = null;
                    if (attempt == STARTS) {
                        throw new IllegalStateException("PgBouncer ended:\n" + Files.readString(log(folder)));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void launch(PGSimpleDataSource server, Path home) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
        String program = Objects.requireNonNull(System.getProperty(PROPERTY), "-D" + PROPERTY + "=/path/to/pgbouncer");
        List<String> settings = new ArrayList<>(List.of(
                "[databases]",
                "* = host=" + server.getServerNames()[0] + " port=" + server.getPortNumbers()[0] + " user="
                        + server.getUser() + " password=" + server.getPassword(),
                "[pgbouncer]",
                "listen_addr = " + HOST,
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = transaction",
                "default_pool_size = " + sessions,
                "ignore_startup_parameters = extra_float_digits"));
        if (followsStatements(program, home)) {
            settings.add("max_prepared_statements = 0");
        }
        Path file = Files.write(home.resolve("pgbouncer.ini"), settings);
        List<String> command = new ArrayList<>(List.of(program, file.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(1, List.of("-u", "nobody")); // it refuses to be root
        }
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(home).toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        process = started;
    }

    private static boolean followsStatements(String program, Path home) throws IOException {
        Path told = home.resolve("version.txt");
        Process asked = new ProcessBuilder(program, "--version")
                .redirectErrorStream(true)
                .redirectOutput(told.toFile())
                .start();
        await(asked);
        Matcher version = VERSION.matcher(Files.readString(told));
        if (!version.find()) {
            throw new IllegalStateException(program + " does not tell its version: " + Files.readString(told));
        }
        int major = Integer.parseInt(version.group(1));
        return major > FOLLOWS_STATEMENTS[0]
                || major == FOLLOWS_STATEMENTS[0] && Integer.parseInt(version.group(2)) >= FOLLOWS_STATEMENTS[1];
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(HOST, port), (int) BOUND.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Path log(Path home) {
        return home.resolve("pgbouncer.log");
    }

    private Process running() {
        return Objects.requireNonNull(process, "ask for a data source first");
    }

    private static void await(Process ending) {
        try {
            if (!ending.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("PgBouncer does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        Path home = folder;
        if (context.getRequiredTestClass().getEnclosingClass() != null || home == null) {
            return;
        }
        if (process != null) {
            await(process.destroyForcibly());
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
