package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.jdbc.Returning;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fence over pools of connections, which have to come back, and as they were. */
class FencePoolTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase MARIA = SqlDatabase.on(Product.MARIADB);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    private enum AutoCommit {
        ON,
        OFF
    }

    private static HikariDataSource pool(SqlDatabase database, AutoCommit mode, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.admin());
        config.setPassword(database.adminPassword());
        config.setAutoCommit(mode == AutoCommit.ON);
        config.setMaximumPoolSize(size);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        return new HikariDataSource(config);
    }

    @Test
    void law25_connections_come_back_as_they_were_from_postgresql() throws SQLException {
        comesBackAsItWas(POSTGRES, AutoCommit.ON, "SHOW lock_timeout");
        comesBackAsItWas(POSTGRES, AutoCommit.OFF, "SHOW transaction_isolation");
    }

    @Test
    void law25_connections_come_back_as_they_were_from_mariadb() throws SQLException {
        comesBackAsItWas(MARIA, AutoCommit.ON, "SELECT @@innodb_lock_wait_timeout");
        comesBackAsItWas(MARIA, AutoCommit.OFF, "SELECT @@tx_isolation");
    }

    @Test
    void law25_connections_come_back_as_they_were_from_h2() throws SQLException {
        comesBackAsItWas(H2, AutoCommit.ON, "CALL LOCK_TIMEOUT()");
        comesBackAsItWas(H2, AutoCommit.OFF, "CALL LOCK_TIMEOUT()");
    }

    private static void comesBackAsItWas(SqlDatabase database, AutoCommit mode, String setting) throws SQLException {
        try (HikariDataSource pool = pool(database, mode, 1)) {
            JdbcFence.createSchema(pool);
            database.execute("CREATE TABLE IF NOT EXISTS ledger (id INT PRIMARY KEY)", "DELETE FROM ledger");
            JdbcFence fence = JdbcFence.over(pool, UUID.randomUUID().toString());
            String before = read(pool, setting);

            for (int token = 1; token <= 10; token++) { // drivers prepare at the server from the fifth on
                int now = token;
                fence.claim(now);
                assertThat(fence.guardedUpdate(now, "INSERT INTO ledger VALUES (?)", now))
                        .isEqualTo(1);
                assertThatThrownBy(() -> fence.claim(now - 1)).isInstanceOf(StaleTokenException.class);
                assertThatThrownBy(() -> fence.guardedUpdate(now + 1, "INSERT INTO ledger VALUES (-1)"))
                        .isInstanceOf(StaleTokenException.class);
                assertThatThrownBy(() -> fence.guardedUpdate(now, "INSERT INTO ledger VALUES (?)", now))
                        .isInstanceOf(StoreException.class);
            }

            assertThat(read(pool, setting)).isEqualTo(before);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isEqualTo(mode == AutoCommit.ON);
            }
            assertThat(read(pool, "SELECT count(*) FROM ledger")).isEqualTo("10");
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    private static String read(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Pools put these back themselves; what hands out connections without looking at them does not. */
    @Test
    void law25_auto_commit_and_network_time_outs_are_put_back_as_they_were_after_success_and_failure()
            throws SQLException {
        for (SqlDatabase database : List.of(POSTGRES, MARIA, H2)) {
            JdbcFence.createSchema(database.dataSource());
            for (AutoCommit mode : AutoCommit.values()) {
                try (Connection kept = database.dataSource().getConnection()) {
                    kept.setAutoCommit(mode == AutoCommit.ON);
                    kept.setNetworkTimeout(Runnable::run, 54_321);
                    int networkTimeout = kept.getNetworkTimeout(); // none on H2
                    JdbcFence fence = JdbcFence.over(
                            Returning.always(kept),
                            UUID.randomUUID().toString(),
                            JdbcFenceOptions.builder()
                                    .updateTimeout(Duration.ofSeconds(20))
                                    .build());

                    fence.claim(2);
                    assertAsItWas(kept, mode, networkTimeout);
                    fence.guardedUpdate(2, "DELETE FROM tenure_fence WHERE token < 0");
                    assertAsItWas(kept, mode, networkTimeout);
                    assertThatThrownBy(() -> fence.guardedUpdate(2, "DELETE FROM nowhere"))
                            .isInstanceOf(StoreException.class);
                    assertAsItWas(kept, mode, networkTimeout);
                    assertThatThrownBy(() -> fence.claim(1)).isInstanceOf(StaleTokenException.class);
                    assertAsItWas(kept, mode, networkTimeout);
                }
            }
        }
    }

    private static void assertAsItWas(Connection kept, AutoCommit mode, int networkTimeout) throws SQLException {
        assertThat(kept.getAutoCommit()).isEqualTo(mode == AutoCommit.ON);
        assertThat(kept.getNetworkTimeout()).isEqualTo(networkTimeout);
    }

    @ParameterizedTest
    @EnumSource
    void law26_a_claim_runs_at_read_committed_whatever_the_connections_of_the_source_are_set_to(Isolation isolation)
            throws SQLException {
        JdbcFence.createSchema(POSTGRES.dataSource());
        POSTGRES.execute(
                "CREATE OR REPLACE FUNCTION note_isolation() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF current_setting('transaction_isolation') <> 'read committed' THEN"
                        + " RAISE EXCEPTION 'claimed at %', current_setting('transaction_isolation'); END IF;"
                        + " RETURN NEW; END $$",
                "CREATE OR REPLACE TRIGGER note_isolation BEFORE INSERT OR UPDATE ON tenure_fence FOR EACH ROW"
                        + " EXECUTE FUNCTION note_isolation()");
        try (Connection set = POSTGRES.dataSource().getConnection()) {
            set.setTransactionIsolation(isolation.level);
            JdbcFence fence =
                    JdbcFence.over(Returning.always(set), UUID.randomUUID().toString());

            fence.claim(1);
            fence.claim(2);

            assertThatThrownBy(() -> fence.claim(1)).isInstanceOf(StaleTokenException.class);
            assertThat(set.getTransactionIsolation()).isEqualTo(isolation.level);
        } finally {
            POSTGRES.execute("DROP TRIGGER note_isolation ON tenure_fence");
        }
    }

    @Test
    void law26_a_claim_that_waits_in_vain_gives_its_connection_back() throws SQLException {
        try (HikariDataSource pool = pool(POSTGRES, AutoCommit.ON, 2)) {
            JdbcFence.createSchema(pool);
            JdbcFence fence = JdbcFence.over(
                    pool,
                    UUID.randomUUID().toString(),
                    JdbcFenceOptions.builder()
                            .claimTimeout(Duration.ofMillis(600))
                            .build());
            fence.claim(1);
            try (Connection old = pool.getConnection()) {
                old.setAutoCommit(false);
                fence.require(old, 1);

                assertThatThrownBy(() -> fence.claim(2)).isInstanceOf(StoreException.class);

                assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                        .as("the leader's own")
                        .isEqualTo(1);
                old.rollback();
            }
            fence.claim(2);
        }
    }
}
