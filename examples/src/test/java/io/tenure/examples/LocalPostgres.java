package io.tenure.examples;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.postgresql.ds.PGSimpleDataSource;

/** An empty database for one test class, on a PostgreSQL that all of them share: a child process of this one. */
public final class LocalPostgres implements BeforeAllCallback, AfterAllCallback {
    private Server server;
    private String name;

    private record Server(EmbeddedPostgres postgres) implements AutoCloseable {
        static Server start() {
            try {
                // Quick, and nothing else about its locks or what it keeps.
                return new Server(EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "off")
                        .setServerConfig("shared_buffers", "32MB")
                        .start());
            } catch (IOException e) {
                throw new IllegalStateException("No PostgreSQL could be started", e);
            }
        }

        @Override
        public void close() throws IOException {
            postgres.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws SQLException {
        server = context.getRoot()
                .getStore(Namespace.create(LocalPostgres.class))
                .computeIfAbsent(Server.class, type -> Server.start(), Server.class);
        name = "t" + UUID.randomUUID().toString().replace("-", "");
        run("postgres", "CREATE DATABASE " + name);
    }

    @Override
    public void afterAll(ExtensionContext context) throws SQLException {
        run("postgres", "DROP DATABASE " + name + " WITH (FORCE)");
    }

    /** With user and password. */
    public String url() {
        return url(port());
    }

    /** The same by way of another port. */
    public String url(int port) {
        return url(port, name);
    }

    private static String url(int port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres&password=postgres";
    }

    public int port() {
        return server.postgres().getPort();
    }

    public void execute(String sql) throws SQLException {
        run(name, sql);
    }

    private void run(String database, String sql) throws SQLException {
        try (Connection connection = source(url(port(), database)).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of all rows, as text. */
    public List<String> column(String query) throws SQLException {
        try (Connection connection = source(url()).getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> column = new ArrayList<>();
            while (rows.next()) {
                column.add(rows.getString(1));
            }
            return column;
        }
    }

    /** Every connection is a new one. */
    public static PGSimpleDataSource source(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        return source;
    }
}
