package io.tenure.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.Elector;
import io.tenure.ElectorOptions;
import io.tenure.HeldLock;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.jdbc.BoundJdbcFence;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.testkit.HandTerm;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The code of docs/fencing-sql.md. */
class FencingSqlSnippetsTest {
    private final JdbcConnectionPool dataSource = JdbcConnectionPool.create("jdbc:h2:mem:snippets", "sa", "");
    private final AtomicInteger conflicts = new AtomicInteger();

    @BeforeEach
    void open() throws SQLException {
        JdbcFence.createSchema(dataSource); // once, or by the file in schema/
        execute("CREATE TABLE jobs (id INT PRIMARY KEY, status VARCHAR(20))");
        execute("INSERT INTO jobs VALUES (17, 'new')");
    }

    @AfterEach
    void close() throws SQLException {
        execute("SHUTDOWN");
        dataSource.dispose();
    }

    @Test
    void a_leader_writes_under_its_token() throws Exception {
        try (Tenure tenure = Tenure.inMemory()) {
            // tag::elector
            JdbcFence fence = JdbcFence.over(dataSource, "payouts");
            Elector elector = tenure.elector(
                    "payouts",
                    ElectorOptions.ofTtl(Duration.ofSeconds(5)).claims(fence).build());
            elector.campaign(term -> {
                BoundJdbcFence bound = fence.bind(term);
                // A stale token throws StaleTokenException: let it out.
                if (bound.guardedUpdate("UPDATE jobs SET status = ? WHERE id = ?", "running", 17) == 0) {
                    throw new IllegalStateException("There is no job 17");
                }
            });
            // end::elector
            await().untilAsserted(() -> assertThat(status()).isEqualTo("running"));
        }
    }

    @Test
    void a_lock_claims_by_itself() throws Exception {
        try (Tenure tenure = Tenure.inMemory()) {
            JdbcFence fence = JdbcFence.over(dataSource, "migration");
            // tag::lock
            try (HeldLock held = tenure.lock("migration").acquire()) {
                fence.claim(held.token()); // waits for what a former holder has still open
                fence.guardedUpdate(held.token(), "UPDATE jobs SET status = 'migrated'");
            }
            // end::lock
            assertThat(status()).isEqualTo("migrated");
        }
    }

    @Test
    void what_failed_for_the_moment_is_run_again() throws SQLException {
        JdbcFence fence = JdbcFence.over(
                dataSource,
                "retries",
                // tag::options
                JdbcFenceOptions.builder()
                        .schema("public") // where the connection looks for tables, unless set
                        .table("tenure_fence")
                        .claimTimeout(Duration.ofSeconds(2))
                        .build()
                // end::options
                );
        BoundJdbcFence bound = fence.bind(HandTerm.held("retries", 1));
        bound.claim();
        conflicts.set(2);
        // tag::retry
        for (int attempt = 1; ; attempt++) {
            try {
                inTransaction(connection -> {
                    bound.require(connection);
                    execute(connection, "UPDATE jobs SET status = 'done' WHERE id = 17");
                });
                break;
            } catch (StoreException | SQLException e) {
                // a StaleTokenException is neither: it goes out, and ends the work
                if (!passes(e) || attempt == 3) {
                    throw e;
                }
            }
        }
        // end::retry
        assertThat(status()).isEqualTo("done");
        assertThat(conflicts).as("each was met").hasValue(0);
    }

    // tag::passes
    /** What require met tells by itself; of your own statements only conflicts and dead-locks are worth it. */
    private static boolean passes(Exception failure) {
        if (failure instanceof StoreException store) {
            return store.isTransient();
        }
        return failure instanceof SQLException own
                && Set.of("40001", "40P01", "90131").contains(String.valueOf(own.getSQLState()));
    }
    // end::passes

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private void inTransaction(Work work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.on(connection);
                if (conflicts.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new SQLException("somebody else was first", "40001");
                }
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private String status() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT status FROM jobs WHERE id = 17")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
