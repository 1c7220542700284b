package io.tenure.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.ElectorOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.Term;
import io.tenure.jdbc.JdbcFence;
import io.tenure.jdbc.JdbcFenceOptions;
import io.tenure.redis.RedisLeaseStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Elected by a lease in Redis, and writes rows of PostgreSQL. Start it twice, and stop the one that leads by
 * {@code kill -STOP} for longer than 3 s: the other takes over, and after {@code kill -CONT} the first one's rows are refused.
 *
 * <pre>
 * mvn -q -pl examples -am package -DskipTests &amp;&amp; java -cp examples/target/examples.jar io.tenure.examples.LeaderLedger redis://localhost:6379 'jdbc:postgresql://localhost:5432/postgres?user=postgres'
 * </pre>
 */
public final class LeaderLedger {
    static final String NAME = "examples:ledger";

    private final DataSource rows;
    private final JdbcFence fence;

    LeaderLedger(DataSource rows, JdbcFence fence) {
        this.rows = rows;
        this.fence = fence;
    }

    /** The work of one term. A StaleTokenException that it lets out ends the term as lost. */
    void lead(Term term) throws SQLException, InterruptedException {
        while (true) {
            append(term);
            Thread.sleep(100); // interrupted the moment the term ends, for whatever reason
        }
    }

    // tag::transaction
    private void append(Term term) throws SQLException {
        try (Connection connection = rows.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement next = connection.prepareStatement(
                    "INSERT INTO examples_ledger (entry, token) SELECT coalesce(max(entry), 0) + 1, ? FROM examples_ledger")) {
                fence.require(connection, term.token()); // first of all; a successor's claim waits for the commit
                next.setLong(1, term.token());
                next.executeUpdate();
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }
    // end::transaction

    /** Bounds for all that a claim may wait for: an election is not to hang on a database that says nothing. */
    // tag::pool
    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setConnectionTimeout(1_500); // ms; below what a claim may take, so that the pool says what is wrong
        config.addDataSourceProperty("connectTimeout", "1"); // s; these two are PostgreSQL's
        config.addDataSourceProperty("socketTimeout", "5"); // s; for each answer, so longer than a claim may wait
        config.setInitializationFailTimeout(-1); // the pool can be made before the database is there
        return new HikariDataSource(config);
    }
    // end::pool

    public static void main(String[] args) throws SQLException {
        String redisUri = args.length > 0 ? args[0] : "redis://localhost:6379";
        String url = args.length > 1 ? args[1] : "jdbc:postgresql://localhost:5432/postgres?user=postgres";
        StopSignal.interrupts(Thread.currentThread(), Duration.ofSeconds(10));
        try (HikariDataSource rows = pool(url)) {
            createTables(rows);
            RedisLeaseStore redis = RedisLeaseStore.connect(redisUri);
            // tag::elector
            JdbcFence fence = JdbcFence.over(
                    rows,
                    NAME, // that of the lease
                    JdbcFenceOptions.builder()
                            .claimTimeout(Duration.ofSeconds(2))
                            .build());
            ElectorOptions options = ElectorOptions.ofTtl(Duration.ofSeconds(3))
                    .drainTimeout(Duration.ofSeconds(4)) // longer than a claim may wait
                    .claims(fence)
                    .build();
            try (Tenure tenure =
                    Tenure.over(redis).observer(System.out::println).open()) {
                tenure.elector(NAME, options).run(new LeaderLedger(rows, fence)::lead);
            }
            // end::elector
        } catch (InterruptedException e) {
            System.out.println("Stopped");
        } catch (StoreException e) {
            // So connecting tells of an interrupt, and keeps the flag; anything else is a failure.
            if (!Thread.currentThread().isInterrupted()) {
                throw e;
            }
            System.out.println("Stopped");
        }
    }

    /** Here for trying it out: in earnest whoever deploys makes tables, with the rights for it. */
    static void createTables(DataSource rows) throws SQLException {
        JdbcFence.createSchema(rows);
        try (Connection connection = rows.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS examples_ledger (entry bigint PRIMARY KEY, token bigint NOT NULL)");
        }
    }
}
