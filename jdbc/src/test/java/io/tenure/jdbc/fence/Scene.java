package io.tenure.jdbc.fence;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** One test's fence, its transactions, and a table of jobs that leaders write to. */
final class Scene implements AutoCloseable {
    static final String UPDATE = "UPDATE jobs SET status = ? WHERE id = ?";
    static final String INSERT = "INSERT INTO jobs (id, status) VALUES (?, ?)";

    /** Long enough for any claim of a test to get through on a busy machine. */
    private static final JdbcFenceOptions PATIENT =
            JdbcFenceOptions.builder().claimTimeout(Duration.ofSeconds(20)).build();

    /** MariaDB shows what it has shown, as long as somebody looks again within 100 ms. */
    private static final Duration MARIA_LOOKS_ANEW = Duration.ofMillis(150);

    private static final AtomicInteger LAST_JOB = new AtomicInteger();

    final String name = "law-" + UUID.randomUUID();
    /** A row that is there, {@code new}. */
    final int job = LAST_JOB.incrementAndGet();

    final JdbcFence fence;
    private final SqlDatabase database;
    private final DataSource source;
    private final List<Transaction> open = new ArrayList<>();

    Scene(SqlDatabase database, DataSource source) throws SQLException {
        this.database = database;
        this.source = source;
        JdbcFence.createSchema(source);
        fence = JdbcFence.over(source, name, PATIENT);
        database.execute(
                "CREATE TABLE IF NOT EXISTS jobs (id INT PRIMARY KEY, status VARCHAR(40))",
                "INSERT INTO jobs (id, status) VALUES (" + job + ", 'new')");
    }

    SqlDatabase database() {
        return database;
    }

    DataSource source() {
        return source;
    }

    JdbcFence fence(Duration claimTimeout) {
        return fence(JdbcFenceOptions.builder().claimTimeout(claimTimeout).build());
    }

    JdbcFence fence(JdbcFenceOptions options) {
        return JdbcFence.over(source, name, options);
    }

    /** A key that no row has. */
    static int freshJob() {
        return LAST_JOB.incrementAndGet();
    }

    Transaction begin(Isolation isolation) throws SQLException {
        Transaction transaction = new Transaction(source.getConnection(), isolation);
        open.add(transaction);
        return transaction;
    }

    Transaction begin() throws SQLException {
        return begin(Isolation.READ_COMMITTED);
    }

    /** The status of a job, as committed; empty without one. */
    String status(int id) throws SQLException {
        return asked("SELECT status FROM jobs WHERE id = " + id);
    }

    /** Returns when so many statements wait for a lock of another transaction. */
    void awaitWaiting(int statements) {
        String sql = switch (database.product()) {
            case POSTGRESQL ->
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
            case MARIADB ->
                "SELECT count(*) FROM information_schema.INNODB_TRX JOIN information_schema.PROCESSLIST"
                        + " ON ID = trx_mysql_thread_id WHERE trx_state = 'LOCK WAIT' AND DB = DATABASE()";
            case H2 -> "SELECT count(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL";
        };
        await("a statement that waits for a lock")
                .pollInterval(database.product() == Product.MARIADB ? MARIA_LOOKS_ANEW : Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(15))
                .until(() -> Integer.parseInt(asked(sql)) >= statements);
    }

    /** Returns when a claim has found that it has to wait. */
    void awaitClaimWaiting() throws InterruptedException {
        awaitClaimWaitingBesides(0);
    }

    /** The same where so many other statements wait as well. */
    void awaitClaimWaitingBesides(int others) throws InterruptedException {
        if (database.product() != Product.H2) {
            awaitWaiting(others + 1);
            return;
        }
        await("an announcement")
                .atMost(Duration.ofSeconds(15))
                .until(() -> Long.parseLong(stand("announced")) > Long.parseLong(stand("mark")));
        Thread.sleep(100); // it asks again and again there, and nothing shows that
    }

    void awaitAnnounced(long token) {
        await("an announcement")
                .atMost(Duration.ofSeconds(15))
                .until(() -> stand("announced").equals(Long.toString(token)));
    }

    /** Where a part of the fence stands. */
    private String stand(String part) throws SQLException {
        return asked("SELECT token FROM tenure_fence WHERE part = '" + part + "' AND "
                + (database.product() == Product.H2
                        ? "name = CAST('" + name + "' AS VARBINARY)"
                        : "name = '" + name + "'"));
    }

    /** A transaction that is refused, and rolled back. */
    void assertRefused(Isolation isolation, long token, long mark) throws SQLException {
        try (Transaction transaction = new Transaction(source.getConnection(), isolation)) {
            assertStale(() -> transaction.require(fence, token), token, mark);
        }
    }

    void assertRefused(long token, long mark) throws SQLException {
        assertRefused(Isolation.READ_COMMITTED, token, mark);
    }

    String asked(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        }
    }

    void assertStale(ThrowingCallable what, long token, long mark) {
        assertThat(catchThrowable(what)).isInstanceOfSatisfying(StaleTokenException.class, stale -> {
            assertThat(stale.name()).isEqualTo(name);
            assertThat(stale.token()).isEqualTo(token);
            assertThat(stale.mark()).isEqualTo(mark);
        });
    }

    /** Refused, or told to run the transaction again; never let through. */
    static void assertNotAdmitted(ThrowingCallable what) {
        Throwable refusal = catchThrowable(what);
        if (!(refusal instanceof StaleTokenException)) {
            assertPassing(refusal);
        }
    }

    static void assertPassing(@Nullable Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.isTransient())
                                .as("%s", e.getMessage())
                                .isTrue());
        assertThat(requireNonNull(failure)).hasMessageContaining("retry the transaction");
    }

    @Override
    public void close() throws SQLException {
        for (Transaction transaction : open) {
            transaction.close();
        }
    }
}
