package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Law 27: what a statement of the user's did wrong is not put down to the table of the fence. */
class GuardedUpdateFailuresTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    private static final List<SqlDatabase> ALL = List.of(POSTGRES, MARIA, H2);
    private static final JdbcFenceOptions PLAIN = JdbcFenceOptions.defaults();

    @BeforeEach
    void makeTables() throws SQLException {
        for (SqlDatabase database : ALL) {
            JdbcFence.createSchema(database.dataSource());
            database.execute(
                    "DROP TABLE IF EXISTS rows_of_mine",
                    "CREATE TABLE rows_of_mine (id INT PRIMARY KEY)",
                    "INSERT INTO rows_of_mine VALUES (1)");
        }
    }

    private static StoreException failure(
            DataSource source, JdbcFenceOptions options, String sql, Object... arguments) {
        JdbcFence fence = JdbcFence.over(source, UUID.randomUUID().toString(), options);
        fence.claim(1);
        StoreException told = catchThrowableOfType(StoreException.class, () -> fence.guardedUpdate(1, sql, arguments));
        assertThat(told).hasMessageContaining("writing by fence '" + fence.name() + "'");
        return told;
    }

    @Test
    void law27_a_table_that_the_statement_names_in_vain_is_told_before_that_of_the_fence() throws SQLException {
        for (SqlDatabase database : ALL) {
            assertThat(failure(database.dataSource(), PLAIN, "DELETE FROM missing_of_mine"))
                    .matches(told -> !told.isTransient())
                    .hasMessageMatching(
                            "(?s).*one that the statement names; or that of the fence, tenure_fence.*\\[.*");
        }
    }

    @Test
    void law27_what_the_database_refuses_is_told_of_the_statement() throws SQLException {
        for (SqlDatabase database : ALL) {
            assertRefused(database, "INSERT INTO rows_of_mine VALUES (1)");
            assertRefused(database, "INSERT INTO rows_of_mine VALUES (?)");
        }
        assertRefused(POSTGRES, "UPDATE rows_of_mine SET id = 1 / 0");
        assertRefused(H2, "UPDATE rows_of_mine SET id = 1 / 0");
    }

    private static void assertRefused(SqlDatabase database, String sql) throws SQLException {
        assertThat(failure(database.dataSource(), PLAIN, sql))
                .matches(told -> !told.isTransient())
                .hasMessageContaining("the database refused the statement of the update, or a value in it. If");
    }

    @Test
    void law27_a_right_that_the_statement_lacks_is_told_before_those_of_the_fence() throws SQLException {
        for (SqlDatabase database : List.of(POSTGRES, H2)) {
            String user = "u" + UUID.randomUUID().toString().replace("-", "").substring(0, 10);
            database.execute(
                    "CREATE USER " + user + " PASSWORD 'secret'",
                    "GRANT SELECT, INSERT, UPDATE ON tenure_fence TO " + user);

            assertThat(failure(of(database, user), PLAIN, "DELETE FROM rows_of_mine"))
                    .matches(told -> !told.isTransient())
                    .hasMessageContaining("one that the statement needs; or, of the fence, SELECT, INSERT and UPDATE");
        }
    }

    private static DataSource of(SqlDatabase database, String user) throws SQLException {
        if (database != H2) {
            return database.dataSourceOf(user, "secret");
        }
        JdbcDataSource source = new JdbcDataSource(); // the settings in the usual address are for its owner only
        source.setURL(H2.url().split(";", 2)[0]);
        source.setUser(user);
        source.setPassword("secret");
        return source;
    }

    @Test
    void law27_an_update_that_took_longer_than_it_may_is_told_with_the_setting() throws SQLException {
        JdbcFenceOptions brief =
                JdbcFenceOptions.builder().updateTimeout(Duration.ofSeconds(1)).build();
        for (SqlDatabase database : List.of(POSTGRES, MARIA)) {
            assertThat(whileLocked(database, brief))
                    .matches(StoreException::isTransient)
                    .hasMessageContainingAll("updateTimeout (PT1S) was reached", "call it again");
        }
    }

    @Test
    void law27_a_row_that_is_locked_is_told_of_the_statement() throws SQLException {
        assertThat(whileLocked(H2, PLAIN))
                .matches(StoreException::isTransient)
                .hasMessageContainingAll("something that the statement touches was locked", "call it again")
                .hasMessageNotContaining("updateTimeout");
    }

    private static StoreException whileLocked(SqlDatabase database, JdbcFenceOptions options) throws SQLException {
        try (Connection other = database.dataSource().getConnection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("UPDATE rows_of_mine SET id = 1 WHERE id = 1");
            try {
                return failure(database.dataSource(), options, "DELETE FROM rows_of_mine WHERE id = ?", 1);
            } finally {
                other.rollback();
            }
        }
    }
}
