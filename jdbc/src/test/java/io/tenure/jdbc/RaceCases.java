package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws 1, 2, 7 and 21 among many on one row, at every isolation level. */
abstract class RaceCases {
    private static final int CONTENDERS = 8;

    abstract SqlDatabase database();

    private HikariDataSource pool(String isolation) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database().dataSource());
        config.setMaximumPoolSize(CONTENDERS);
        config.setTransactionIsolation(isolation);
        return new HikariDataSource(config);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRANSACTION_READ_COMMITTED", "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE"})
    void law01_of_many_at_once_exactly_one_is_granted_round_after_round_and_none_fails(String isolation)
            throws SQLException {
        exactlyOneIsGranted("race-" + isolation, isolation, Duration.ofMinutes(1));
    }

    /** Who does not want to wait asks by another, quicker statement on some databases. */
    @ParameterizedTest
    @ValueSource(strings = {"TRANSACTION_READ_COMMITTED", "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE"})
    void law01_of_many_that_try_once_exactly_one_is_granted_round_after_round_and_none_fails(String isolation)
            throws SQLException {
        exactlyOneIsGranted("trial-" + isolation, isolation, Duration.ZERO);
    }

    private void exactlyOneIsGranted(String name, String isolation, Duration lineFor) throws SQLException {
        try (HikariDataSource pool = pool(isolation);
                JdbcLeaseStore store = JdbcLeaseStore.over(pool)) {
            store.createSchema();
            long last = 0;
            for (int round = 1; round <= 25; round++) {
                List<LeaseRequest> requests = new ArrayList<>();
                for (int i = 0; i < CONTENDERS; i++) {
                    Claim claim = new Claim(name, "holder-" + i, "incarnation" + i, round, 0);
                    requests.add(new LeaseRequest(
                            claim, LeaseKind.ELECTION, Duration.ofMinutes(1), 0, Takeover.NONE, lineFor));
                }
                List<CompletionStage<Acquisition>> answers =
                        requests.stream().map(store::acquire).toList();
                List<Claim> granted = new ArrayList<>();
                for (int i = 0; i < CONTENDERS; i++) {
                    if (Asking.answer(answers.get(i)) instanceof Acquisition.Granted grant) {
                        granted.add(requests.get(i).claim().withToken(grant.token()));
                    }
                }

                assertThat(granted).as("round %d", round).hasSize(1);
                assertThat(granted.get(0).token()).as("round %d", round).isGreaterThan(last);
                last = granted.get(0).token();
                assertThat(Asking.answer(store.release(Asking.releasing(granted.get(0)))))
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRANSACTION_READ_COMMITTED", "TRANSACTION_SERIALIZABLE"})
    void law21_of_many_that_enter_the_line_at_once_each_has_a_place_of_its_own(String isolation) throws SQLException {
        try (HikariDataSource pool = pool(isolation);
                JdbcLeaseStore store = JdbcLeaseStore.over(pool)) {
            store.createSchema();
            String name = "line-" + isolation;
            Asking.granted(store, Asking.election(name, 1));
            List<CompletionStage<Acquisition>> answers = new ArrayList<>();
            for (int i = 0; i < CONTENDERS; i++) {
                Claim claim = new Claim(name, "holder-" + i, "incarnation" + i, 1, 0);
                answers.add(store.acquire(new LeaseRequest(
                        claim, LeaseKind.LOCK, Duration.ofMinutes(1), 0, Takeover.NONE, Duration.ofMinutes(1))));
            }

            assertThat(answers.stream().map(answer -> ((Acquisition.Denied) Asking.answer(answer)).place()))
                    .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRANSACTION_READ_COMMITTED", "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE"})
    void law05_a_batch_is_renewed_while_waiters_write_to_its_rows(String isolation) throws SQLException {
        try (HikariDataSource pool = pool(isolation);
                JdbcLeaseStore store = JdbcLeaseStore.over(pool)) {
            store.createSchema();
            List<RenewRequest> batch = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                batch.add(Asking.renewing(Asking.granted(store, Asking.election("batch-" + isolation + i, 1))));
            }
            for (int round = 1; round <= 20; round++) {
                List<CompletionStage<Acquisition>> waiters = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    Claim claim = new Claim("batch-" + isolation + i, "bob", "waiter" + round, 1, 0);
                    waiters.add(store.acquire(new LeaseRequest(
                            claim, LeaseKind.LOCK, Duration.ofMinutes(1), 0, Takeover.NONE, Duration.ofMinutes(1))));
                }
                List<CompletionStage<Renewal>> renewals = store.renew(batch);

                assertThat(renewals.stream().map(Asking::answer))
                        .as("round %d", round)
                        .containsOnly(new Renewal.Renewed(OptionalLong.empty()));
                waiters.forEach(Asking::answer);
            }
        }
    }

    @Test
    void a_denial_writes_nothing() throws SQLException {
        try (JdbcLeaseStore store = JdbcLeaseStore.over(database().dataSource())) {
            store.createSchema();
            Asking.granted(store, Asking.election("denied-1", 1));
            String versions = "SELECT SUM(version) FROM " + quoted("tenure_lease");
            long before = count(versions);
            try (Connection locking = database().dataSource().getConnection();
                    Statement statement = locking.createStatement()) {
                locking.setAutoCommit(false);
                statement.execute("UPDATE " + quoted("tenure_lease") + " SET version = version");

                // would have to wait for the row if it wrote or locked
                assertThat(Asking.answer(store.acquire(Asking.election("denied-1", 2))))
                        .isInstanceOf(Acquisition.Denied.class);
                locking.rollback();
            }
            assertThat(count(versions)).isEqualTo(before);
        }
    }

    @Test
    void law07_rows_of_locks_are_deleted_after_their_retention_and_those_of_elections_never() throws SQLException {
        JdbcStoreOptions options = JdbcStoreOptions.builder()
                .table("forgetting_lease")
                .retention(Duration.ofMillis(1))
                .build();
        try (JdbcLeaseStore store = JdbcLeaseStore.over(database().dataSource(), options)) {
            store.createSchema();
            Claim role = Asking.granted(store, Asking.election("role", 1));
            Asking.answer(store.release(Asking.releasing(role)));
            for (int i = 0; i < 40; i++) {
                Claim claim = Asking.granted(store, Asking.lock("over-" + i, Duration.ofMillis(1)));
                Asking.answer(store.release(Asking.releasing(claim)));
            }
            Asking.granted(store, Asking.lock("held", Duration.ofMinutes(1)));

            await().until(() -> {
                Asking.granted(store, Asking.lock("held", Duration.ofMinutes(1)));
                return count("SELECT COUNT(*) FROM " + quoted("forgetting_lease")) == 2;
            });

            assertThat(Asking.answer(store.find("held"))).isPresent();
            assertThat(count("SELECT counter FROM " + quoted("forgetting_lease") + " WHERE kind = 'ELECTION'"))
                    .isEqualTo(role.token());
        }
    }

    /** As this database has lower case. */
    String quoted(String table) {
        return table;
    }

    @Test
    void a_table_of_another_name_in_a_schema_of_its_own_is_made_and_used() throws SQLException {
        makeSchema("apart");
        JdbcStoreOptions options =
                JdbcStoreOptions.builder().schema("apart").table("Leases_2").build();
        try (JdbcLeaseStore store = JdbcLeaseStore.over(database().dataSource(), options)) {
            store.createSchema();

            Claim claim = Asking.granted(store, Asking.election("role", 1));

            assertThat(Asking.answer(
                            store.renew(List.of(Asking.renewing(claim))).get(0)))
                    .isNotNull();
            assertThat(Asking.answer(store.list("", 10))).hasSize(1);
        } finally {
            dropSchema("apart");
        }
    }

    void makeSchema(String name) throws SQLException {
        database().execute("CREATE SCHEMA " + name);
    }

    void dropSchema(String name) throws SQLException {
        database().execute("DROP SCHEMA " + name + " CASCADE");
    }

    private long count(String sql) throws SQLException {
        try (Connection connection = database().dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
