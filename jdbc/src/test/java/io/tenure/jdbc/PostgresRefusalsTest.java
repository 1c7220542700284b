package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.StoreException;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresRefusalsTest extends RefusalCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.POSTGRESQL);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    String quoted() {
        return "tenure_lease";
    }

    @Override
    void makeUser(String user, String password) throws SQLException {
        database.execute(
                "CREATE USER " + user + " PASSWORD '" + password + "'", "GRANT SELECT ON tenure_lease TO " + user);
        askForThePasswordOf(user);
    }

    /** The server of the tests trusts everybody else who comes from this machine. */
    private static void askForThePasswordOf(String user) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet setting = statement.executeQuery("SELECT current_setting('hba_file')")) {
            setting.next();
            Path rules = Path.of(setting.getString(1));
            Files.writeString(rules, "host all " + user + " all scram-sha-256\n" + Files.readString(rules));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        database.execute("SELECT pg_reload_conf()");
        await().until(() -> isRefused(user));
    }

    private static boolean isRefused(String user) {
        try (Connection connection = database.dataSourceOf(user, "no").getConnection()) {
            return connection.isClosed();
        } catch (SQLException e) {
            return "28P01".equals(e.getSQLState());
        }
    }

    @Override
    void dropUser(String user) throws SQLException {
        database.execute("DROP OWNED BY " + user, "DROP USER " + user);
    }

    @Override
    DataSource ofDatabase(String name) throws SQLException {
        PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
        source.setDatabaseName(name);
        return source;
    }

    /** The driver tells the server when it begins a transaction, which leases do not. */
    @Test
    void case_a_connection_that_is_set_read_only_keeps_no_lease_from_being_written_but_fences() throws SQLException {
        DataSource set = Wrapped.each(database.dataSource(), connection -> connection.setReadOnly(true));
        try (JdbcLeaseStore store = JdbcLeaseStore.over(set)) {
            Asking.granted(store, Asking.election("role-1", 1));
        }
        JdbcFence.createSchema(database.dataSource());

        assertThatThrownBy(() -> JdbcFence.over(set, "role-1").claim(1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("connect to the primary");
    }

    @Override
    DataSource readOnly() throws SQLException {
        return Wrapped.each(database.dataSource(), connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET default_transaction_read_only = on");
            }
        });
    }
}
