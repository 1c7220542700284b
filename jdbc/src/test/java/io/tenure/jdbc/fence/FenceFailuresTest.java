package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** What is told when a database cannot do it: law 27. */
class FenceFailuresTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    private static final List<SqlDatabase> ALL = List.of(POSTGRES, MARIA, H2);

    private static AbstractThrowableAssert<?, ? extends Throwable> assertPermanent(ThrowingCallable what) {
        return assertThatThrownBy(what)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isFalse());
    }

    private static JdbcFence over(DataSource source, String table) {
        return JdbcFence.over(
                source, "job", JdbcFenceOptions.builder().table(table).build());
    }

    private static void inTransaction(DataSource source, JdbcFence fence) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                fence.require(connection, 1);
            } finally {
                connection.rollback();
            }
        }
    }

    @Test
    void law27_a_missing_table_is_told_with_what_makes_it_and_is_never_made_silently() throws SQLException {
        for (SqlDatabase database : ALL) {
            DataSource source = database.dataSource();
            JdbcFence fence = over(source, "not_made");

            assertPermanent(() -> fence.claim(1)).hasMessageContaining("createSchema");
            assertPermanent(() -> inTransaction(source, fence)).hasMessageContaining("createSchema");
            assertPermanent(() -> fence.guardedUpdate(1, "DELETE FROM x")).hasMessageContaining("createSchema");
        }
    }

    @Test
    void law27_a_table_of_other_columns_is_told() throws SQLException {
        for (SqlDatabase database : ALL) {
            database.execute("CREATE TABLE other (name INT, token INT)");

            assertPermanent(() -> over(database.dataSource(), "other").claim(1)).hasMessageContaining("other columns");
        }
    }

    @Test
    void law27_missing_rights_are_told_and_the_documented_ones_are_enough() throws SQLException {
        for (SqlDatabase database : List.of(POSTGRES, H2)) {
            JdbcFence.createSchema(database.dataSource());
            database.execute("CREATE USER writer PASSWORD 'secret'", "GRANT SELECT ON tenure_fence TO writer");
            DataSource writer = database == H2 ? writerOfH2() : database.dataSourceOf("writer", "secret");
            JdbcFence fence = over(writer, "tenure_fence");

            assertPermanent(() -> fence.claim(1)).hasMessageContaining("SELECT, INSERT and UPDATE");

            database.execute("GRANT INSERT, UPDATE ON tenure_fence TO writer");
            fence.claim(1);
            inTransaction(writer, fence);
            fence.claim(2);
        }
    }

    /** The settings in the usual address are for its owner only. */
    private static DataSource writerOfH2() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(H2.url().split(";", 2)[0]);
        source.setUser("writer");
        source.setPassword("secret");
        return source;
    }

    @Test
    void law27_a_read_only_transaction_is_told_on_postgresql() throws SQLException {
        JdbcFence.createSchema(POSTGRES.dataSource());
        JdbcFence fence = JdbcFence.over(POSTGRES.dataSource(), "read-only");
        fence.claim(1);
        try (Connection connection = POSTGRES.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);

            assertPermanent(() -> fence.require(connection, 1)).hasMessageContaining("read-only");
        }
    }

    @Test
    void law27_a_server_that_cannot_be_reached_may_come_back() throws SQLException {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setURL("jdbc:postgresql://127.0.0.1:1/none");

        assertNothingWasSent(nowhere, "no connection");
    }

    /** Whatever it is that gives none, and however it says so. */
    @Test
    void law27_without_a_connection_it_is_told_that_nothing_was_sent() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(H2.dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(250);
        try (HikariDataSource small = new HikariDataSource(config);
                Connection stuck = small.getConnection()) {
            assertThat(stuck.isClosed()).isFalse();
            assertNothingWasSent(small, "the pool is too small");
        }
        assertNothingWasSent(
                giving(() -> {
                    throw new SQLException("Cannot get a connection, pool error Timeout waiting for idle object");
                }),
                "idle object");
        assertNothingWasSent(
                giving(() -> {
                    throw new IllegalStateException("no context");
                }),
                "IllegalStateException: no context");
        assertNothingWasSent(giving(() -> null), "gave null instead of a connection");
    }

    private static void assertNothingWasSent(DataSource source, String reason) {
        JdbcFence fence = JdbcFence.over(source, "job");
        assertTold(() -> fence.claim(1), "claiming 'job'", reason);
        assertTold(() -> fence.guardedUpdate(1, "DELETE FROM x"), "'job'", reason);
        assertTold(() -> JdbcFence.createSchema(source), "tenure_fence", reason);
    }

    private static void assertTold(ThrowingCallable what, String name, String reason) {
        assertThatThrownBy(what)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isTransient()).isTrue())
                .hasMessageContainingAll(name, reason, "Nothing was sent")
                .hasMessageNotContaining("carried out");
    }

    private interface Gift {
        @Nullable
        Connection give() throws SQLException;
    }

    private static DataSource giving(Gift gift) {
        return (DataSource) Proxy.newProxyInstance(
                FenceFailuresTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> gift.give());
    }

    @Test
    void law27_a_transaction_that_failed_before_is_told_to_require_first() throws SQLException {
        JdbcFence.createSchema(POSTGRES.dataSource());
        JdbcFence fence = JdbcFence.over(POSTGRES.dataSource(), "failed-before");
        fence.claim(1);
        try (Connection connection = POSTGRES.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> connection.prepareStatement("SELECT 1 / 0").executeQuery())
                    .isInstanceOf(SQLException.class);

            assertThatThrownBy(() -> fence.require(connection, 1))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContaining("require the token first");
        }
    }
}
