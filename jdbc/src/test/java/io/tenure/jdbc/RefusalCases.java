package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.TenureEvent.StoreWarning;
import io.tenure.jdbc.servers.SqlDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Law 27: what a database refuses for good is told as such, with what to do, and without a password. */
abstract class RefusalCases {
    private static final String PASSWORD = "Tr0ub4dor";

    abstract SqlDatabase database();

    DataSource dataSource() throws SQLException {
        return database().dataSource();
    }

    DataSource dataSourceOf(String user, String password) throws SQLException {
        return database().dataSourceOf(user, password);
    }

    abstract String quoted();

    /** Users belong to the server, which others use too. */
    private static String fresh(String role) {
        return role + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    }

    abstract void makeUser(String user, String password) throws SQLException;

    abstract void dropUser(String user) throws SQLException;

    abstract DataSource ofDatabase(String name) throws SQLException;

    @BeforeEach
    void makeTheTable() throws SQLException {
        try (JdbcLeaseStore store = JdbcLeaseStore.over(dataSource())) {
            store.createSchema();
        }
    }

    @AfterEach
    void dropTheTable() throws SQLException {
        database().execute("DROP TABLE IF EXISTS " + quoted());
    }

    @Test
    void law27_a_missing_table_is_refused_for_good_and_made_only_when_asked_for() throws SQLException {
        database().execute("DROP TABLE " + quoted());
        try (JdbcLeaseStore store = JdbcLeaseStore.over(dataSource())) {
            StoreException refusal = Asking.failure(store.acquire(Asking.election("role-1", 1)));

            assertForGood(refusal);
            assertThat(refusal)
                    .hasMessageContainingAll("role-1", "tenure_lease", "JdbcLeaseStore.createSchema()", "schema/");
            assertThat(Asking.failure(store.find("role-1"))).hasMessageContaining("createSchema()");

            store.createSchema();
            store.createSchema();

            Asking.granted(store, Asking.election("role-1", 1));
        }
    }

    @Test
    void law27_a_table_that_is_another_one_is_refused_for_good_and_nothing_is_written() throws SQLException {
        database()
                .execute(
                        "DROP TABLE " + quoted(),
                        "CREATE TABLE " + quoted() + " (name VARCHAR(20), token VARCHAR(20))");
        try (JdbcLeaseStore store = JdbcLeaseStore.over(dataSource())) {
            StoreException refusal = Asking.failure(store.acquire(Asking.election("role-1", 1)));

            assertForGood(refusal);
            assertThat(refusal).hasMessageContainingAll("role-1", "is not as Tenure needs it", "schema/");
        }
    }

    @Test
    void law27_a_column_of_a_wrong_type_is_refused_for_good() throws SQLException {
        database()
                .execute(
                        "ALTER TABLE " + quoted() + " DROP COLUMN expires_at",
                        "ALTER TABLE " + quoted() + " ADD COLUMN expires_at INTEGER");
        try (JdbcLeaseStore store = JdbcLeaseStore.over(dataSource())) {
            StoreException refusal = Asking.failure(store.acquire(Asking.election("role-1", 1)));

            assertForGood(refusal);
            assertThat(refusal).hasMessageContainingAll("role-1", "is not as Tenure needs it", "schema/");
        }
    }

    @Test
    void law27_missing_rights_are_refused_for_good_and_named() throws SQLException {
        String user = fresh("watcher");
        makeUser(user, PASSWORD);
        try (JdbcLeaseStore store = JdbcLeaseStore.over(dataSourceOf(user, PASSWORD))) {
            StoreException refusal = Asking.failure(store.acquire(Asking.election("role-1", 1)));

            assertForGood(refusal);
            assertThat(refusal).hasMessageContainingAll("role-1", "SELECT, INSERT, UPDATE and DELETE", "tenure_lease");
        } finally {
            dropUser(user);
        }
    }

    @Test
    void law27_old_rows_that_may_not_be_deleted_are_told_of_once_and_cost_no_lock() throws SQLException {
        String user = fresh("keeper");
        makeUser(user, PASSWORD);
        database().execute("GRANT SELECT, INSERT, UPDATE ON " + quoted() + " TO " + user);
        List<TenureEvent> warnings = new CopyOnWriteArrayList<>();
        JdbcStoreOptions forgetful =
                JdbcStoreOptions.builder().retention(Duration.ofMillis(1)).build();
        try (JdbcLeaseStore store = JdbcLeaseStore.over(dataSourceOf(user, PASSWORD), forgetful)) {
            store.listen(warnings::add);
            for (int i = 0; i < 4 * 32; i++) {
                Asking.granted(store, Asking.lock("cleanup-" + i, Duration.ofMillis(1)));
            }
            AtomicInteger more = new AtomicInteger();
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                Asking.granted(store, Asking.lock("more-" + more.incrementAndGet(), Duration.ofMillis(1)));
                return !warnings.isEmpty();
            });
        } finally {
            dropUser(user);
        }
        assertThat(warnings)
                .singleElement()
                .isInstanceOfSatisfying(
                        StoreWarning.class,
                        warning -> assertThat(warning.message()).contains("pile up", "DELETE"));
    }

    @Test
    void law27_a_wrong_password_is_refused_for_good_and_shown_nowhere() throws SQLException {
        String user = fresh("leaser");
        makeUser(user, PASSWORD);
        String wrong = "S3cr3tButWrong";
        try (JdbcLeaseStore store = JdbcLeaseStore.over(dataSourceOf(user, wrong))) {
            StoreException refusal = Asking.failure(store.acquire(Asking.election("role-1", 1)));

            assertForGood(refusal);
            assertThat(refusal).hasMessageContainingAll("role-1", "check user, password");
            StringWriter all = new StringWriter();
            refusal.printStackTrace(new PrintWriter(all));
            assertThat(all + store.toString()).doesNotContain(wrong);
        } finally {
            dropUser(user);
        }
    }

    @Test
    void law27_a_missing_database_is_refused_for_good() throws SQLException {
        try (JdbcLeaseStore store = JdbcLeaseStore.over(ofDatabase("nowhere"))) {
            StoreException refusal = Asking.failure(store.acquire(Asking.election("role-1", 1)));

            assertForGood(refusal);
            assertThat(refusal).hasMessageContainingAll("role-1", "no such database");
        }
    }

    @Test
    void law27_a_connection_that_may_only_read_is_refused_for_good() throws Exception {
        try (JdbcLeaseStore store = JdbcLeaseStore.over(readOnly())) {
            StoreException refusal = Asking.failure(store.acquire(Asking.election("role-1", 1)));

            assertForGood(refusal);
            assertThat(refusal).hasMessageContainingAll("role-1", "read-only", "connect to the primary");
        }
    }

    /** With the table of leases in it. */
    abstract DataSource readOnly() throws Exception;

    private static void assertForGood(StoreException refusal) {
        assertThat(refusal.isTransient()).as("%s", refusal).isFalse();
    }
}
