package io.tenure.jdbc.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Guarded updates by all ways in which the driver of PostgreSQL sends statements. */
class PostgresGuardedUpdateModesTest {
    private static final String DEFAULTS = "";
    /** By then the driver has begun to describe the rows of a statement before it runs it. */
    private static final int RUNS = 12;
    /** Rows without a bounded length, and an argument without a type. */
    private static final String RETURNING =
            "UPDATE jobs SET status = ?, note = ? WHERE id = ? RETURNING CAST(status AS text)";

    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    private static HikariDataSource pool(String mode) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(POSTGRES.url() + "?" + mode);
        config.setUsername(POSTGRES.admin());
        config.setPassword(POSTGRES.adminPassword());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    static Stream<String> modes() {
        return Stream.of(
                "preferQueryMode=simple",
                "preferQueryMode=extendedForPrepared",
                "preferQueryMode=extendedCacheEverything",
                "prepareThreshold=0",
                "prepareThreshold=1",
                "stringtype=unspecified",
                "autosave=always",
                "autosave=conservative",
                "defaultRowFetchSize=1",
                DEFAULTS);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void law25_a_stale_token_writes_nothing_however_the_driver_sends_it(String mode) throws SQLException {
        try (Scene scene = new Scene(POSTGRES, POSTGRES.dataSource());
                HikariDataSource pool = pool(mode)) {
            POSTGRES.execute("ALTER TABLE jobs ADD COLUMN IF NOT EXISTS note text");
            JdbcFence fence = JdbcFence.over(pool, scene.name);
            fence.claim(5);
            for (int run = 0; run < RUNS; run++) {
                assertThat(fence.guardedUpdate(5, RETURNING, "mine", null, scene.job))
                        .isEqualTo(1);
            }
            fence.claim(6);

            scene.assertStale(() -> fence.guardedUpdate(5, Scene.UPDATE, "late", scene.job), 5, 6);
            scene.assertStale(() -> fence.guardedUpdate(5, RETURNING, "late", null, scene.job), 5, 6);

            assertThat(scene.status(scene.job)).isEqualTo("mine");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=1", DEFAULTS})
    void law27_a_failure_is_told_as_the_statement_alone_would_have_it(String mode) throws SQLException {
        try (Scene scene = new Scene(POSTGRES, POSTGRES.dataSource());
                HikariDataSource pool = pool(mode)) {
            JdbcFence fence = JdbcFence.over(pool, scene.name);
            fence.claim(5);
            String sql = "UPDATE jobs SET status = ?, nothing = ? WHERE id = ?";
            Throwable plain;
            try (Transaction alone = new Transaction(pool.getConnection(), Isolation.READ_COMMITTED)) {
                plain = catchThrowable(() -> alone.run(sql, "a", "b", 1));
            }

            Throwable fenced = catchThrowable(() -> fence.guardedUpdate(5, sql, "a", "b", 1));

            assertThat(plain).hasMessageContaining("Position: ");
            assertThat(fenced).hasMessageContaining(plain.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "preferQueryMode=simple",
                "prepareThreshold=1",
                "stringtype=unspecified",
                "autosave=always",
                DEFAULTS
            })
    void law26_a_claim_waits_for_the_update_under_way_however_the_driver_sends_it(String mode) throws Exception {
        try (Scene scene = new Scene(POSTGRES, POSTGRES.dataSource());
                HikariDataSource pool = pool(mode)) {
            POSTGRES.execute("ALTER TABLE jobs ADD COLUMN IF NOT EXISTS note text");
            JdbcFence fence = JdbcFence.over(pool, scene.name);
            fence.claim(5);
            for (int run = 0; run < RUNS; run++) {
                fence.guardedUpdate(5, RETURNING, "mine", null, scene.job);
            }
            Transaction somebody = scene.begin();
            somebody.run(Scene.UPDATE, "locked", scene.job);
            Later<Long> update = Later.of(() -> fence.guardedUpdate(5, RETURNING, "old", null, scene.job));
            scene.awaitWaiting(1);

            Later<Boolean> claim = Later.doing(() -> scene.fence.claim(6));
            scene.awaitWaiting(2); // the update for the row, and the claim for the update
            assertThat(claim.isOver()).as("the claim waits").isFalse();
            somebody.commit();

            claim.join();
            assertThat(update.join()).isEqualTo(1);
        }
    }

    /** The commit goes with the statement, so what it leaves behind has to be there with the answer. */
    @ParameterizedTest
    @MethodSource("modes")
    void law25_all_rows_that_a_guarded_update_changed_are_counted(String mode) throws SQLException {
        try (Scene scene = new Scene(POSTGRES, POSTGRES.dataSource());
                HikariDataSource pool = pool(mode)) {
            int[] jobs = {scene.job, Scene.freshJob(), Scene.freshJob()};
            JdbcFence fence = JdbcFence.over(pool, scene.name);
            fence.claim(5);
            fence.guardedUpdate(5, "INSERT INTO jobs (id, status) VALUES (?, ''), (?, '');", jobs[1], jobs[2]);
            for (int run = 0; run < RUNS; run++) {
                assertThat(fence.guardedUpdate(
                                5, "UPDATE jobs SET status = ? WHERE id IN (?, ?, ?)", "a", jobs[0], jobs[1], jobs[2]))
                        .isEqualTo(3);
                assertThat(fence.guardedUpdate(
                                5,
                                "UPDATE jobs SET status = 'b' WHERE id IN (?, ?, ?) RETURNING id -- all of them",
                                jobs[0],
                                jobs[1],
                                jobs[2]))
                        .isEqualTo(3);
            }
            for (int job : jobs) {
                assertThat(scene.status(job)).isEqualTo("b");
            }
        }
    }

    /** It goes with the statement, so that its failure comes with those of the statement. */
    @ParameterizedTest
    @MethodSource("modes")
    void law25_a_commit_that_fails_is_told_and_leaves_the_connection_as_it_was(String mode) throws SQLException {
        try (Scene scene = new Scene(POSTGRES, POSTGRES.dataSource());
                HikariDataSource pool = pool(mode)) {
            POSTGRES.execute("CREATE TABLE IF NOT EXISTS heads (id INT PRIMARY KEY,"
                    + " boss INT REFERENCES heads DEFERRABLE INITIALLY DEFERRED)");
            JdbcFence fence = JdbcFence.over(pool, scene.name);
            fence.claim(5);
            String headless = "INSERT INTO heads (id, boss) VALUES (?, 0)";

            assertThatThrownBy(() -> fence.guardedUpdate(5, headless, scene.job))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("heads_boss_fkey");

            assertThat(fence.guardedUpdate(5, "DELETE FROM heads WHERE id = ?", scene.job))
                    .as("rows that the refused insert left")
                    .isEqualTo(0);
            assertThat(fence.guardedUpdate(5, Scene.UPDATE, "after", scene.job)).isEqualTo(1);
            assertThat(scene.status(scene.job)).isEqualTo("after");
        }
    }

    /** What stands behind a semicolon some modes of the driver take for another statement. */
    @ParameterizedTest
    @MethodSource("modes")
    void law25_what_stands_behind_a_statement_leaves_the_connection_as_it_was(String mode) throws SQLException {
        try (Scene scene = new Scene(POSTGRES, POSTGRES.dataSource());
                HikariDataSource pool = pool(mode)) {
            JdbcFence fence = JdbcFence.over(pool, scene.name);
            fence.claim(5);
            for (String behind :
                    List.of("; -- done", "; /* done */", ";", "; ;", " -- done", " RETURNING id; -- done")) {
                for (int run = 0; run < RUNS; run++) {
                    assertThat(fence.guardedUpdate(5, Scene.UPDATE + behind, "mine", scene.job))
                            .as(behind)
                            .isEqualTo(1);
                    assertThat(asked(pool, run)).as(behind).isEqualTo(run);
                }
                fence.claim(6);
                scene.assertStale(() -> fence.guardedUpdate(5, Scene.UPDATE + behind, "late", scene.job), 5, 6);
                assertThat(asked(pool, 7)).as(behind).isEqualTo(7);
                POSTGRES.execute("DELETE FROM tenure_fence WHERE name = '" + scene.name + "'");
                fence.claim(5);
            }
            assertThat(scene.status(scene.job)).isEqualTo("mine");
        }
    }

    /** It has no business there, but nothing of it is run for a token that is stale. */
    @ParameterizedTest
    @MethodSource("modes")
    void law25_a_stale_token_does_not_get_out_of_the_transaction(String mode) throws SQLException {
        try (Scene scene = new Scene(POSTGRES, POSTGRES.dataSource());
                HikariDataSource pool = pool(mode)) {
            JdbcFence fence = JdbcFence.over(pool, scene.name);
            fence.claim(6);

            for (String before : List.of("ROLLBACK; ", "COMMIT; ", "ROLLBACK; BEGIN; ")) {
                String sql = before + "UPDATE jobs SET status = 'late' WHERE id = " + scene.job;
                scene.assertStale(() -> fence.guardedUpdate(5, sql), 5, 6);
            }

            assertThat(scene.status(scene.job)).isEqualTo("new");
        }
    }

    private static int asked(DataSource source, int number) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + number)) {
            row.next();
            return row.getInt(1);
        }
    }
}
