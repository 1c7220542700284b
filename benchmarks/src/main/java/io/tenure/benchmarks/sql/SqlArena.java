package io.tenure.benchmarks.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.benchmarks.Arena;
import io.tenure.benchmarks.Scenario;
import io.tenure.benchmarks.Subject;
import io.tenure.benchmarks.Target;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A PostgreSQL that flushes every commit to its disk, and one pool of connections for all subjects. */
public final class SqlArena implements Arena {
    private static final int CONNECTIONS = 16;

    private final EmbeddedPostgres postgres;
    private final HikariDataSource pool;
    private final String about;

    private SqlArena(EmbeddedPostgres postgres, HikariDataSource pool, String about) {
        this.postgres = postgres;
        this.pool = pool;
        this.about = about;
    }

    /**
     * Starts the server on a free port.
     *
     * @param data a folder on a disk; what is put there is deleted at the end
     * @param commit its {@code synchronous_commit}
     */
    public static SqlArena open(Path data, String commit) throws IOException, SQLException {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setDataDirectory(Files.createTempDirectory(data, "postgres-"))
                .setCleanDataDirectory(true)
                // Said since the artifact that brings the server would switch one of them off.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", commit)
                .start();
        try {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(postgres.getJdbcUrl("postgres", "postgres"));
            config.setMaximumPoolSize(CONNECTIONS);
            HikariDataSource pool = new HikariDataSource(config);
            return new SqlArena(postgres, pool, about(pool));
        } catch (RuntimeException | SQLException e) {
            postgres.close();
            throw e;
        }
    }

    private static String about(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT current_setting('server_version'), current_setting('fsync'),"
                                + " current_setting('synchronous_commit')")) {
            row.next();
            return "PostgreSQL " + row.getString(1) + ", fsync " + row.getString(2) + ", synchronous_commit "
                    + row.getString(3);
        }
    }

    @Override
    public String about() {
        return about;
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                locks("sql: acquire + release, 1 thread", 1),
                locks("sql: acquire + release, 8 threads", 8),
                guardedUpdate(),
                requireInTransaction());
    }

    private Scenario locks(String name, int threads) {
        Subject floor = PlainStatements.on(pool);
        Subject tenure = TenureLocks.on(pool);
        Subject callers = TenureLocks.onCallersThreads(pool);
        Subject shedLock = ShedLocks.on(pool);
        Subject spring = SpringLocks.on(pool);
        return new Scenario(
                name,
                threads,
                List.of(floor, tenure, callers, shedLock, spring),
                List.of(
                        new Target(tenure.name(), floor.name(), 0.9),
                        new Target(callers.name(), floor.name(), 0.9),
                        new Target(tenure.name(), shedLock.name(), 1),
                        new Target(tenure.name(), spring.name(), 1)));
    }

    private Scenario guardedUpdate() {
        Accounts accounts = Accounts.on(pool);
        Subject plain = accounts.update();
        Subject guarded = accounts.guardedUpdate();
        return new Scenario(
                "sql: guarded update, 1 thread",
                1,
                List.of(plain, guarded),
                List.of(new Target(guarded.name(), plain.name(), 0.7)));
    }

    private Scenario requireInTransaction() {
        Accounts accounts = Accounts.on(pool);
        return new Scenario(
                "sql: transaction with require, 1 thread",
                1,
                List.of(accounts.transaction(), accounts.fencedTransaction()),
                List.of());
    }

    @Override
    public void close() throws IOException {
        pool.close();
        postgres.close();
    }
}
