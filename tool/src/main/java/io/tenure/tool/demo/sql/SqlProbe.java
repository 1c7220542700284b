package io.tenure.tool.demo.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcLeaseStore;
import io.tenure.tool.demo.Names;
import io.tenure.tool.demo.Probe;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.Sighting;
import io.tenure.tool.demo.StepFailed;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks at a database, on a connection of its own. */
final class SqlProbe implements Probe {
    private static final String NOTHING = "nothing";

    private final Database database;
    private final Server server;
    private final Tables tables;
    private final Connection connection;
    private final String lease;

    private SqlProbe(Database database, Server server, Names names, Connection connection) {
        this.database = database;
        this.server = server;
        this.tables = Tables.of(names);
        this.connection = connection;
        this.lease = """
            SELECT t.micros, CAST(EXTRACT(EPOCH FROM l.expires_at) * 1000000 AS BIGINT) AS expiry,
              l.holder, l.incarnation, l.attempt, l.token, l.waiters
            FROM (SELECT CAST(EXTRACT(EPOCH FROM ${now}) * 1000000 AS BIGINT) AS micros) t
            LEFT JOIN "${lease}" l ON l.name = ?""".replace("${now}", database.now()).replace("${lease}", tables.lease());
    }

    static SqlProbe connect(Database database, Server server, Names names) throws StepFailed {
        try {
            Connection connection = DriverManager.getConnection(server.url());
            connection.setNetworkTimeout(Runnable::run, (int) BOUND.toMillis());
            return new SqlProbe(database, server, names, connection);
        } catch (SQLException e) {
            boolean refused = String.valueOf(e.getSQLState()).startsWith("28");
            throw new StepFailed("The server " + server.origin()
                    + (refused
                            ? " refuses the connection (" + e.getMessage() + "): correct user and password in "
                            : " does not answer (" + e.getMessage() + "): start it, or correct ")
                    + Server.VARIABLE);
        }
    }

    /** What is asked on the connection. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    private <T> T ask(Question<T> question) throws StepFailed {
        try {
            return question.ask(connection);
        } catch (SQLException e) {
            throw new StepFailed("The database could not be asked: " + e.getMessage(), e);
        }
    }

    @Override
    public String version() throws StepFailed {
        return ask(asked -> {
            DatabaseMetaData data = asked.getMetaData();
            return data.getDatabaseProductName() + " "
                    + data.getDatabaseProductVersion().split(" ", 2)[0];
        });
    }

    @Override
    public void prepare() throws StepFailed {
        try (HikariDataSource pool = SqlWorkplace.pool(server.url(), 1);
                JdbcLeaseStore store = JdbcLeaseStore.over(pool, tables.leaseOptions())) {
            store.createSchema();
            JdbcFence.createSchema(pool, tables.fenceOptions());
        } catch (StoreException e) {
            throw new StepFailed("The demo could not make its tables. " + e.getMessage(), e);
        }
        execute(List.of(
                "CREATE TABLE " + tables.register() + " (way VARCHAR(40) PRIMARY KEY, writer VARCHAR(40) NOT NULL)",
                "INSERT INTO " + tables.register() + " (way, writer) VALUES ('" + SqlBackend.STATEMENT + "', '"
                        + NOTHING + "'), ('" + SqlBackend.TRANSACTION + "', '" + NOTHING + "')"));
    }

    private void execute(List<String> statements) throws StepFailed {
        ask(asked -> {
            try (Statement statement = asked.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
                return statements;
            }
        });
    }

    /** What is done with the row of a lease, whose columns are null when there is none. */
    @FunctionalInterface
    private interface Look<T> {
        T at(ResultSet row) throws SQLException;
    }

    private <T> T look(String name, Look<T> look) throws StepFailed {
        return ask(asked -> {
            try (PreparedStatement statement = asked.prepareStatement(lease)) {
                database.setName(statement, 1, name);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return look.at(row);
                }
            }
        });
    }

    /** A row stays when its lease is over: it is held only until its expiry. */
    @Override
    public Sighting lease(String name) throws StepFailed {
        return look(name, row -> {
            long micros = row.getLong("micros");
            long expiry = row.getLong("expiry");
            if (row.wasNull() || expiry <= micros) {
                return new Sighting(micros, -1, "");
            }
            String value = text(row, "holder") + "#" + text(row, "incarnation") + "-" + row.getLong("attempt") + "-"
                    + row.getLong("token");
            // The difference of whole milliseconds, so that the expiry that follows from it is exact to one.
            return new Sighting(micros, expiry / 1_000 - micros / 1_000, value);
        });
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return new String(row.getBytes(column), UTF_8);
    }

    @Override
    public boolean hasWaiter(String name) throws StepFailed {
        return look(name, row -> {
            String waiters = row.getString("waiters");
            return waiters != null && !waiters.isEmpty();
        });
    }

    @Override
    public List<String> stored() throws StepFailed {
        return ask(asked -> {
            try (Statement statement = asked.createStatement();
                    ResultSet rows =
                            statement.executeQuery("SELECT writer FROM " + tables.register() + " ORDER BY way")) {
                List<String> writers = new ArrayList<>();
                while (rows.next()) {
                    writers.add(rows.getString("writer"));
                }
                return writers;
            }
        });
    }

    @Override
    public void delete() throws StepFailed {
        execute(tables.drop());
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            return; // the server has ended before
        }
    }

    /** Names what it looks at, nothing of the connection. */
    @Override
    public String toString() {
        return "SqlProbe(" + tables.lease() + ")";
    }
}
