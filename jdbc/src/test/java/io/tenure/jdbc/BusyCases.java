package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.StoreException;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.spi.Claim;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Law 10: calls that wait are cut at their bound, cost no connection, and no other lease anything. */
abstract class BusyCases {
    static final Duration CALL = Duration.ofMillis(2_500);
    static final JdbcStoreOptions OPTIONS =
            JdbcStoreOptions.builder().callTimeout(CALL).build();
    static final Renewal RENEWED = new Renewal.Renewed(OptionalLong.empty());
    /** For machines that are busy with something else. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    HikariDataSource pool;
    JdbcLeaseStore store;

    abstract SqlDatabase database();

    /** Where the connections of the pool come from. */
    DataSource source() throws SQLException {
        return database().dataSource();
    }

    /** As statements of a test name it. */
    String quoted(String identifier) {
        return identifier;
    }

    String named(String name) {
        return "'" + name + "'";
    }

    @BeforeEach
    void open() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source());
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(CALL.toMillis());
        config.setAutoCommit(false);
        pool = new HikariDataSource(config);
        store = JdbcLeaseStore.over(pool, OPTIONS);
        store.createSchema();
    }

    @AfterEach
    void close() {
        store.close();
        pool.close();
    }

    @Test
    void law10_a_row_that_somebody_has_locked_costs_other_leases_nothing() throws SQLException {
        List<Claim> held = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            held.add(Asking.granted(store, Asking.election("batch-" + i, 1)));
        }
        List<RenewRequest> requests = held.stream().map(Asking::renewing).toList();
        try (Connection other = database().dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(
                    "UPDATE " + quoted("tenure_lease") + " SET version = version + 1 WHERE name = " + named("batch-3"));

            List<CompletionStage<Renewal>> answers = store.renew(requests);

            for (int i = 0; i < held.size(); i++) {
                if (i != 3) {
                    assertThat(Asking.answer(answers.get(i))).as("batch-%d", i).isEqualTo(RENEWED);
                }
            }
            StoreException failure = Asking.failure(answers.get(3));
            assertThat(failure.isTransient()).as("%s", failure).isTrue();
            assertThat(failure).hasMessageContainingAll("batch-3", "tenure_lease", "locked");
            other.rollback();
        }
        assertThat(Asking.answer(store.renew(requests).get(3))).isEqualTo(RENEWED);
        await().atMost(PATIENCE).until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    }

    @Test
    void law10_a_pool_without_a_connection_to_spare_is_told_as_passing() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database().dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(500);
        try (HikariDataSource small = new HikariDataSource(config);
                JdbcLeaseStore waiting = JdbcLeaseStore.over(small, OPTIONS)) {
            try (Connection stuck = small.getConnection()) {
                StoreException failure = Asking.failure(waiting.acquire(Asking.election("pool-1", 1)));

                assertThat(stuck.isClosed()).isFalse();
                assertThat(failure.isTransient()).as("%s", failure).isTrue();
                assertThat(failure).hasMessageContainingAll("pool-1", "the pool is too small", "Nothing was sent");
            }
            Asking.granted(waiting, Asking.election("pool-1", 1));
        }
    }

    @Test
    void law17_a_call_that_got_its_connection_too_late_is_not_sent() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database().dataSource());
        config.setMaximumPoolSize(1);
        JdbcStoreOptions impatient =
                JdbcStoreOptions.builder().callTimeout(Duration.ofMillis(50)).build();
        try (HikariDataSource small = new HikariDataSource(config);
                JdbcLeaseStore waiting = JdbcLeaseStore.over(small, impatient)) {
            CompletionStage<?> asked;
            try (Connection stuck = small.getConnection()) {
                asked = waiting.acquire(Asking.election("late-1", 1));
                await().until(() -> small.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
                long since = System.nanoTime();
                await().until(() -> System.nanoTime() - since > 100_000_000 && !stuck.isClosed());
            }

            assertThat(Asking.failure(asked)).hasMessageContainingAll("only when it was too late", "Nothing was sent");

            assertThat(Asking.answer(store.find("late-1"))).isEmpty();
        }
    }

    @Test
    void connections_go_back_as_they_came() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database().dataSource());
        config.setMaximumPoolSize(1);
        config.setAutoCommit(false);
        try (HikariDataSource small = new HikariDataSource(config);
                Connection first = small.getConnection()) {
            int networkTimeout = first.getNetworkTimeout();
            try (JdbcLeaseStore over = JdbcLeaseStore.over(Returning.always(first))) {
                Asking.granted(over, Asking.election("state-1", 1));
                assertThat(first.getAutoCommit()).isFalse();
                assertThat(first.getNetworkTimeout()).isEqualTo(networkTimeout);
            }
            JdbcStoreOptions nowhere =
                    JdbcStoreOptions.builder().table("nowhere").build();
            try (JdbcLeaseStore failing = JdbcLeaseStore.over(Returning.always(first), nowhere)) {
                assertThat(Asking.failure(failing.find("state-1"))).hasMessageContaining("nowhere");
                assertThat(first.getAutoCommit()).as("after a failure").isFalse();
                assertThat(first.getNetworkTimeout()).as("after a failure").isEqualTo(networkTimeout);
            }
            first.rollback();
        }
        assertThat(Asking.answer(store.find("state-1"))).isPresent();
    }
}
