package io.tenure.jdbc.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A PostgreSQL of one's own; what is configured here makes it quick, and changes nothing about its locks. */
final class PostgresServer implements SqlServer {
    private final EmbeddedPostgres postgres;

    PostgresServer() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "off")
                .setServerConfig("max_connections", "300")
                .setServerConfig("shared_buffers", "32MB")
                .start();
    }

    @Override
    public void create(String database) throws SQLException {
        execute("CREATE DATABASE " + database);
    }

    @Override
    public void drop(String database) throws SQLException {
        execute("DROP DATABASE " + database + " WITH (FORCE)");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection =
                        dataSource("postgres", admin(), adminPassword()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public DataSource dataSource(String database, String user, String password) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url(database));
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    @Override
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/" + database;
    }

    @Override
    public String admin() {
        return "postgres";
    }

    @Override
    public String adminPassword() {
        return "postgres";
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
