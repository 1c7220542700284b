package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.StoreException;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresHungTest extends HungCases {
    @RegisterExtension
    static final SqlDatabase database = SqlDatabase.on(Product.POSTGRESQL);

    @Override
    SqlDatabase database() {
        return database;
    }

    @Override
    DataSource through(int port) throws SQLException {
        PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
        source.setURL(database.url().replaceAll(":\\d+/", ":" + port + "/"));
        return source;
    }

    /** Shorter than the second from which drivers count. */
    @Test
    void law10_the_server_gives_up_what_waits_for_a_lock_before_the_call_is_cut() throws SQLException {
        Duration call = Duration.ofMillis(800);
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        try (HikariDataSource small = new HikariDataSource(config);
                JdbcLeaseStore store = JdbcLeaseStore.over(
                        small, JdbcStoreOptions.builder().callTimeout(call).build());
                Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            store.createSchema();
            Claim held = Asking.granted(store, Asking.election("locked-1", 1));
            int server = serverOf(small);
            other.setAutoCommit(false);
            statement.execute("UPDATE tenure_lease SET version = version + 1 WHERE name = 'locked-1'");

            StoreException failure = Asking.failure(store.release(Asking.releasing(held)));

            assertThat(failure.isTransient()).as("%s", failure).isTrue();
            assertThat(failure).hasMessageContainingAll("locked-1", "57014");
            assertThat(serverOf(small))
                    .as("the session that was given up and kept")
                    .isEqualTo(server);
            other.rollback();
            assertThat(Asking.answer(store.find("locked-1")))
                    .as("nothing goes on in the name of who has left")
                    .isPresent();
            assertThat(Asking.answer(store.release(Asking.releasing(held)))).isTrue();
        }
    }

    private static int serverOf(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }
}
