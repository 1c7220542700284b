package io.tenure.jdbc;

import static io.tenure.jdbc.Asking.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.HeldLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TenureEvent;
import io.tenure.jdbc.servers.PgBouncer;
import io.tenure.jdbc.servers.Product;
import io.tenure.spi.Claim;
import io.tenure.spi.Renewal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What PgBouncer in transaction mode takes from its clients, and what a store makes of it. */
@Tag("pgbouncer")
class PgBouncerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CLIENTS = 8;
    private static final int ROUNDS = 20;

    @RegisterExtension
    @Order(1)
    static final PgBouncer bouncer = PgBouncer.withSessions(3);

    @RegisterExtension
    @Order(2)
    static final PgBouncer narrow = PgBouncer.withSessions(1);

    @RegisterExtension
    @Order(3)
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL, bouncer::dataSource);

    private static HikariDataSource pool(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(CLIENTS);
        return new HikariDataSource(config);
    }

    /** 5 is the driver's own setting: it prepares what was asked that often, and the COMMIT of a transaction at once. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void law01_leases_and_fences_are_right_whatever_the_driver_would_prepare(int prepareThreshold) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (HikariDataSource pool = pool(bouncer.dataSource(stores.database(), prepareThreshold));
                JdbcLeaseStore store = JdbcLeaseStore.over(pool)) {
            JdbcFence.createSchema(pool);
            List<Future<Boolean>> running = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                String name = "driver-" + prepareThreshold + "-" + client;
                running.add(clients.submit(() -> {
                    useBoth(store, JdbcFence.over(pool, name), name);
                    return true;
                }));
            }

            for (Future<Boolean> client : running) {
                assertThat(client.get(PATIENCE.toSeconds() * 3, TimeUnit.SECONDS))
                        .isTrue();
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(bouncer.leftOnSessions(stores.database())).isEmpty();
    }

    private static void useBoth(JdbcLeaseStore store, JdbcFence fence, String name) {
        long last = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            Claim held = Asking.granted(store, Asking.election(name, round));
            assertThat(held.token()).isGreaterThan(last);
            assertThat(answer(store.renew(List.of(Asking.renewing(held))).get(0)))
                    .isEqualTo(new Renewal.Renewed(OptionalLong.empty()));
            assertThat(answer(store.find(name)))
                    .hasValueSatisfying(found -> assertThat(found.token()).isEqualTo(held.token()));
            fence.claim(held.token());
            assertThat(fence.guardedUpdate(held.token(), "DELETE FROM tenure_fence WHERE token = ?", -round))
                    .isZero();
            assertThat(answer(store.release(Asking.releasing(held)))).isTrue();
            last = held.token();
        }
    }

    @Test
    void what_is_left_on_a_session_would_be_seen() throws SQLException {
        try (Connection connection = stores.pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = 4711");
        }

        assertThat(bouncer.leftOnSessions(stores.database())).containsExactly("setting lock_timeout=4711");

        bouncer.onEachSession(stores.database(), "RESET lock_timeout");
        assertThat(bouncer.leftOnSessions(stores.database())).isEmpty();
    }

    @Test
    void law10_a_call_cut_at_a_locked_row_leaves_nothing_and_gives_the_session_back() throws SQLException {
        try (JdbcLeaseStore store = stores.store(JdbcStoreOptions.defaults())) {
            Claim held = Asking.granted(store, Asking.election("locked", 1));
            try (Connection other = stores.database().dataSource().getConnection();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("UPDATE tenure_lease SET version = version + 1 WHERE name = 'locked'");

                StoreException failure = Asking.failure(store.release(Asking.releasing(held)));

                assertThat(failure.isTransient()).as("%s", failure).isTrue();
                assertThat(failure).hasMessageContainingAll("locked", "tenure_lease");
                assertThat(bouncer.leftOnSessions(stores.database())).isEmpty();
                other.rollback();
            }
            assertThat(answer(store.release(Asking.releasing(held)))).isTrue();
        }
    }

    @Test
    void law20_listening_through_it_is_of_no_use_which_is_told_once_and_waiters_poll() throws Exception {
        List<TenureEvent> told = new CopyOnWriteArrayList<>();
        try (Tenure holding =
                        Tenure.over(stores.store(JdbcStoreOptions.defaults())).open();
                Tenure waiting = Tenure.over(stores.store(JdbcStoreOptions.defaults()))
                        .observer(told::add)
                        .open()) {
            HeldLock held = holding.lock("deaf", options()).acquire();
            CompletableFuture<Long> next =
                    CompletableFuture.supplyAsync(() -> tokenOf(waiting, "deaf"), task -> new Thread(task).start());
            await().atMost(PATIENCE).until(() -> told.stream().anyMatch(TenureEvent.StoreWarning.class::isInstance));

            held.close();

            assertThat(next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isGreaterThan(held.token());
        }
        assertThat(told.stream().filter(TenureEvent.StoreWarning.class::isInstance))
                .singleElement()
                .asString()
                .contains("listenOn");
        assertThat(bouncer.leftOnSessions(stores.database())).isEmpty();
    }

    private static LockOptions options() {
        return LockOptions.ofTtl(Duration.ofSeconds(30)).build();
    }

    private static long tokenOf(Tenure waiting, String name) {
        try (HeldLock held = waiting.lock(name, options()).acquire()) {
            return held.token();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void law20_listening_past_it_mends_that() throws Exception {
        List<TenureEvent> told = new CopyOnWriteArrayList<>();
        try (JdbcLeaseStore store = stores.store(JdbcStoreOptions.builder()
                .listenOn(stores.database().dataSource())
                .build())) {
            store.listen(told::add);
            List<Duration> wakes = new CopyOnWriteArrayList<>();
            store.wakeups().await("heard", "me", wakes::add);

            await().atMost(PATIENCE).until(() -> store.wakeups().isLive() && !wakes.isEmpty());

            assertThat(told).isEmpty();
        }
        assertThat(bouncer.leftOnSessions(stores.database())).isEmpty();
    }

    /** Of two clients whose driver prepares, each by the same name. */
    @Test
    void law27_statements_that_it_mixes_up_are_told_with_the_setting_to_change() throws SQLException {
        DataSource preparing = narrow.dataSource(stores.database(), 1);
        try (Connection one = preparing.getConnection();
                Connection other = preparing.getConnection()) {
            ask(one, "SELECT 1 + ?");

            SQLException exists = failureOf(other, "SELECT 2 + ?").orElseThrow();
            stores.database()
                    .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND query LIKE 'SELECT _ + $1'");
            one.setAutoCommit(false); // else the driver prepares it again by itself
            SQLException missing = await().atMost(PATIENCE)
                    .until(() -> failureOf(one, "SELECT 1 + ?"), Optional::isPresent)
                    .orElseThrow();

            assertThat(exists.getSQLState()).isEqualTo("42P05");
            assertThat(missing.getSQLState()).isEqualTo("26000");
            for (SQLException mixedUp : List.of(exists, missing)) {
                assertThat(FailureTeller.ofFence("tenure_fence").during("claiming 'x'", mixedUp))
                        .hasMessageContainingAll("PgBouncer", "prepareThreshold=0")
                        .matches(told -> !told.isTransient());
            }
        }
    }

    private static Optional<SQLException> failureOf(Connection connection, String sql) throws SQLException {
        try {
            ask(connection, sql);
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(e);
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }

    private static void ask(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, 1);
            statement.executeQuery().close();
        }
    }
}
