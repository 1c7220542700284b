package io.tenure.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.StoreException;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tables are made by whoever starts: several processes at the same moment. */
class SchemaTest {
    private static final int MAKERS = 4;
    private static final int ROUNDS = 20;
    private static final String READER =
            "r" + UUID.randomUUID().toString().replace("-", "").substring(0, 10);

    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    @FunctionalInterface
    private interface Making {
        void over(DataSource source) throws Exception;
    }

    @Test
    void case_several_make_the_table_of_leases_at_once_on_postgresql() throws Exception {
        makeTogether(POSTGRES, SchemaTest::leases);
    }

    @Test
    void case_several_make_the_table_of_leases_at_once_on_mariadb() throws Exception {
        makeTogether(MARIA, SchemaTest::leases);
    }

    @Test
    void case_several_make_the_table_of_leases_at_once_on_h2() throws Exception {
        makeTogether(H2, SchemaTest::leases);
    }

    @Test
    void case_several_make_the_table_of_fences_at_once_on_postgresql() throws Exception {
        makeTogether(POSTGRES, JdbcFence::createSchema);
    }

    @Test
    void case_several_make_the_table_of_fences_at_once_on_mariadb() throws Exception {
        makeTogether(MARIA, JdbcFence::createSchema);
    }

    @Test
    void case_several_make_the_table_of_fences_at_once_on_h2() throws Exception {
        makeTogether(H2, JdbcFence::createSchema);
    }

    @Test
    void case_who_may_not_make_tables_finds_them_made() throws SQLException {
        for (SqlDatabase database : List.of(POSTGRES, MARIA, H2)) {
            drop(database);
            DataSource reader = reader(database);
            assertThatThrownBy(() -> leases(reader))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("lacks a right");
            assertThatThrownBy(() -> JdbcFence.createSchema(reader))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("lacks a right");
            leases(database.dataSource());
            JdbcFence.createSchema(database.dataSource());
            String to = " TO " + READER + (database == MARIA ? "@'%'" : "");
            database.execute("GRANT SELECT ON " + lease(database) + to, "GRANT SELECT ON tenure_fence" + to);

            assertThatCode(() -> leases(reader)).doesNotThrowAnyException();
            assertThatCode(() -> JdbcFence.createSchema(reader)).doesNotThrowAnyException();
        }
    }

    /** Who may connect, and read one table. */
    private static DataSource reader(SqlDatabase database) throws SQLException {
        switch (database.product()) {
            case POSTGRESQL -> database.execute("CREATE USER " + READER + " PASSWORD 'secret'");
            case MARIADB ->
                database.execute(
                        "CREATE USER " + READER + "@'%' IDENTIFIED BY 'secret'",
                        "CREATE TABLE readable (id INT)",
                        "GRANT SELECT ON readable TO " + READER + "@'%'");
            case H2 -> {
                database.execute("CREATE USER " + READER + " PASSWORD 'secret'");
                JdbcDataSource source = new JdbcDataSource(); // without settings that only the owner may change
                source.setURL(database.url().split(";", 2)[0]);
                source.setUser(READER);
                source.setPassword("secret");
                return source;
            }
        }
        return database.dataSourceOf(READER, "secret");
    }

    private static void leases(DataSource source) {
        try (JdbcLeaseStore store = JdbcLeaseStore.over(source)) {
            store.createSchema();
        }
    }

    /** In every round each has a connection already when the others have, and makes what nobody has made. */
    private static void makeTogether(SqlDatabase database, Making making) throws Exception {
        ExecutorService makers = Executors.newFixedThreadPool(MAKERS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                drop(database);
                CyclicBarrier all = new CyclicBarrier(MAKERS);
                DataSource together = Wrapped.each(database.dataSource(), connection -> await(all));
                List<Future<?>> made = new ArrayList<>();
                for (int maker = 0; maker < MAKERS; maker++) {
                    made.add(makers.submit(() -> {
                        making.over(together);
                        return null;
                    }));
                }
                for (Future<?> one : made) {
                    one.get(30, SECONDS);
                }
            }
        } finally {
            makers.shutdownNow();
        }
    }

    private static void await(CyclicBarrier all) throws SQLException {
        try {
            all.await(30, SECONDS);
        } catch (Exception e) {
            throw new SQLException("not all makers came", e);
        }
    }

    private static void drop(SqlDatabase database) throws SQLException {
        database.execute("DROP TABLE IF EXISTS " + lease(database), "DROP TABLE IF EXISTS tenure_fence");
    }

    private static String lease(SqlDatabase database) {
        String quote = database.product() == Product.MARIADB ? "`" : "\"";
        return quote + "tenure_lease" + quote;
    }
}
