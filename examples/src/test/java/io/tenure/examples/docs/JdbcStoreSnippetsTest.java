package io.tenure.examples.docs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.Elector;
import io.tenure.HeldLock;
import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.TokenSource;
import io.tenure.jdbc.JdbcLeaseStore;
import io.tenure.jdbc.JdbcStoreOptions;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The code of docs/stores/jdbc.md. */
class JdbcStoreSnippetsTest {
    private static final String URL = "jdbc:h2:mem:leases;DB_CLOSE_DELAY=-1";

    @Test
    void leases_are_kept_in_a_table() {
        String url = URL;
        // tag::open
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setConnectionTimeout(500); // ms; well below the second that an attempt may take
        HikariDataSource pool = new HikariDataSource(config);

        JdbcLeaseStore store = JdbcLeaseStore.over(pool);
        store.createSchema(); // once, by a user who may; or by the file in schema/
        try (Tenure tenure = Tenure.over(store).open()) {
            tenure.lock("cleanup:orders").run(held -> delete(held.token()));
        }
        // end::open
        assertThat(deleted).isPositive();
        pool.close();
    }

    @Test
    void options_are_checked_when_they_are_built() {
        // tag::options
        JdbcStoreOptions options = JdbcStoreOptions.builder()
                .schema("infra")
                .table("leases")
                .callTimeout(Duration.ofSeconds(1)) // leases last two seconds then, at least
                .maxThreads(4)
                .build();
        // end::options
        assertThat(options.table()).isEqualTo("leases");
        assertThat(options.tokens()).isEqualTo(TokenSource.STORE_CLOCK);
    }

    @Test
    void a_second_store_sees_what_the_first_one_keeps() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(URL.replace("leases", "second"));
        try (HikariDataSource pool = new HikariDataSource(config);
                Tenure one = Tenure.over(created(pool)).open();
                Tenure other = Tenure.over(JdbcLeaseStore.over(pool)).open();
                HeldLock held = one.lock("orders").tryAcquire().orElseThrow()) {
            assertThat(other.find("orders"))
                    .hasValueSatisfying(seen -> assertThat(seen.token()).isEqualTo(held.token()));
        }
    }

    @Test
    void a_leader_is_removed_by_force() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(URL.replace("leases", "forced"));
        try (HikariDataSource pool = new HikariDataSource(config);
                Tenure tenure = Tenure.over(created(pool)).open()) {
            Elector elector = tenure.elector("scheduler");
            elector.campaign();
            await().until(elector::isLeader);
            long old = elector.token().orElseThrow();
            boolean ended;
            // tag::evict
            try (JdbcLeaseStore operator = JdbcLeaseStore.over(pool)) {
                Optional<LeaseRecord> seen =
                        operator.find("scheduler").toCompletableFuture().join();
                ended = seen.isPresent()
                        && operator.evict(seen.get()).toCompletableFuture().join();
            }
            // end::evict
            assertThat(ended).isTrue();
            await().atMost(20, SECONDS).until(() -> elector.token().orElse(0) > old + 1);
        }
    }

    @Test
    void a_database_that_is_down_is_told_before_the_attempt_is_given_up() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/down");
        config.setConnectionTimeout(500); // as above
        config.setInitializationFailTimeout(-1);
        try (HikariDataSource pool = new HikariDataSource(config);
                Tenure tenure = Tenure.over(JdbcLeaseStore.over(pool)).open()) {
            assertThatThrownBy(() -> tenure.lock("orders").run(held -> delete(held.token())))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Connection is not available")
                    .rootCause()
                    .isInstanceOf(ConnectException.class);
        }
    }

    private static JdbcLeaseStore created(HikariDataSource pool) {
        JdbcLeaseStore store = JdbcLeaseStore.over(pool);
        store.createSchema();
        return store;
    }

    private long deleted;

    private void delete(long token) {
        deleted = token;
    }
}
