package io.tenure.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tables are made by whoever starts: several processes at the same moment. */
class SchemaTest {
    private static final int MAKERS = 4;
    private static final int ROUNDS = 20;

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
        String quote = database.product() == Product.MARIADB ? "`" : "\"";
        database.execute("DROP TABLE IF EXISTS " + quote + "tenure_lease" + quote, "DROP TABLE IF EXISTS tenure_fence");
    }
}
