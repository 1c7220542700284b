package io.tenure.jdbc;

import static io.tenure.jdbc.Asking.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.TokenSource;
import io.tenure.Tokens;
import io.tenure.jdbc.servers.Product;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The statements that are tried first answer as the full ones would, or leave it to them. */
class PostgresQuickStatementsTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final String LOCKED = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND wait_event_type = 'Lock' AND query LIKE '%tenure_lease%'";

    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final CountedStatements counted = new CountedStatements();
    private final String name = "quick" + NUMBERS.incrementAndGet();
    private JdbcLeaseStore store;

    @BeforeEach
    void open() {
        store = JdbcLeaseStore.over(
                counted.over(stores.pool()),
                JdbcStoreOptions.builder().tokens(TokenSource.COUNTER).build());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void law01_a_lease_that_is_renewed_in_the_moment_before_its_end_is_not_granted_to_another() throws SQLException {
        over();
        try (Connection renewing = stores.pool().getConnection();
                Statement statement = renewing.createStatement()) {
            renewing.setAutoCommit(false);
            statement.execute(updating("expires_at = clock_timestamp() + interval '1 min', version = version + 1"));

            CompletionStage<Acquisition> asking = store.acquire(asking("other", 0));
            awaitLocked();
            renewing.commit();

            assertThat(answer(asking)).isInstanceOf(Acquisition.Denied.class);
        }
        assertThat(column("holder")).isEqualTo("holder");
    }

    @Test
    void law01_of_many_that_hammer_at_a_lease_one_is_granted_and_not_before_its_end() throws SQLException {
        Claim held = granted(asking("holder", 0));
        for (int round = 0; round < 20; round++) {
            execute(updating("expires_at = clock_timestamp() + interval '20 ms', version = version + 1"));
            String end = column("expires_at + interval '1 min'");
            List<LeaseRequest> requests = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                requests.add(asking("contender" + i, 0));
            }

            List<Claim> granted = new ArrayList<>();
            while (granted.isEmpty()) {
                List<CompletionStage<Acquisition>> answers =
                        requests.stream().map(store::acquire).toList();
                for (int i = 0; i < answers.size(); i++) {
                    if (answer(answers.get(i)) instanceof Acquisition.Granted grant) {
                        granted.add(requests.get(i).claim().withToken(grant.token()));
                    }
                }
            }

            assertThat(granted).hasSize(1);
            assertThat(granted.get(0).token()).isEqualTo(held.token() + 1);
            assertThat(column("expires_at >= '" + end + "'")).isEqualTo("true");
            held = granted.get(0);
        }
    }

    @Test
    void law02_what_was_granted_from_the_clock_has_its_counters_token_and_is_renewed() throws SQLException {
        try (JdbcLeaseStore clocked = JdbcLeaseStore.over(stores.pool())) {
            Asking.granted(clocked, asking("holder", 0));
            execute(updating("expires_at = NULL"));
            long before = Long.parseLong(column("(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"));

            Claim held = Asking.granted(clocked, asking("other", 0));

            assertThat(held.token()).isGreaterThan(before);
            assertThat(column("counter")).isEqualTo(column("token")).isEqualTo(Long.toString(held.token()));
            assertThat(answer(clocked.renew(List.of(Asking.renewing(held))).get(0)))
                    .isEqualTo(new Renewal.Renewed(OptionalLong.empty()));
        }
    }

    @Test
    void law02_a_token_is_above_a_burnt_one_and_there_is_none_above_the_last() throws SQLException {
        over();
        execute(updating("counter = token + 5"));
        assertThat(granted(asking("other", 0)).token()).isEqualTo(7);

        execute(updating("counter = " + (Tokens.LIMIT - 1) + ", expires_at = NULL"));
        String before = column("version");

        assertThat(Asking.failure(store.acquire(asking("third", 0))).isTransient())
                .isFalse();
        assertThat(column("version")).isEqualTo(before);
    }

    @Test
    void law06_a_floor_above_the_counter_is_minted_above_and_told_and_one_that_is_reached_is_not() throws SQLException {
        over();

        assertThat(answer(store.acquire(asking("other", 1))))
                .isEqualTo(new Acquisition.Granted(2, OptionalLong.empty()));
        execute(updating("expires_at = NULL"));

        assertThat(answer(store.acquire(asking("third", 900))))
                .isEqualTo(new Acquisition.Granted(901, OptionalLong.of(2)));
    }

    @Test
    void law07_when_tokens_are_forgotten_is_put_off_and_never_brought_forward() throws SQLException {
        try (JdbcLeaseStore clocked = JdbcLeaseStore.over(
                stores.pool(),
                JdbcStoreOptions.builder().retention(Duration.ofHours(1)).build())) {
            Asking.granted(clocked, locking("holder"));
            String late = "clock_timestamp() + interval '100 days'";
            execute(updating("expires_at = NULL, forget_at = " + late));
            String kept = column("forget_at");
            Asking.granted(clocked, locking("second"));
            assertThat(column("forget_at")).isEqualTo(kept);

            execute(updating("expires_at = NULL, forget_at = clock_timestamp() + interval '1 min'"));
            Asking.granted(clocked, locking("third"));
            assertThat(column("forget_at BETWEEN clock_timestamp() + interval '1 hour' AND clock_timestamp() + interval"
                            + " '68 min'"))
                    .isEqualTo("true");

            execute(updating("expires_at = NULL, forget_at = NULL"));
            Asking.granted(clocked, locking("fourth"));
            assertThat(column("forget_at IS NULL")).isEqualTo("true");
        }
    }

    @Test
    void law07_what_is_to_be_forgotten_is_not_counted_on() throws SQLException {
        over();
        execute(updating("counter = 70, forget_at = clock_timestamp() - interval '1 s'"));

        assertThat(answer(store.acquire(asking("other", 5)))).isEqualTo(new Acquisition.Granted(6, OptionalLong.of(0)));
    }

    @Test
    void law21_who_is_granted_out_of_the_line_leaves_it_and_the_others_stay() throws SQLException {
        over();
        execute(updating("waiters = 'me-9000000000000000-ears#you-9000000000000000-ears'"));

        Claim claim = new Claim(name, "me", "me", 1, 0);
        granted(new LeaseRequest(claim, LeaseKind.ELECTION, TTL, 0, Takeover.NONE, Duration.ZERO));

        assertThat(column("waiters")).isEqualTo("you-9000000000000000-ears");
    }

    @Test
    void law21_who_enters_the_line_while_the_lease_is_released_is_told() throws SQLException {
        Claim held = granted(asking("holder", 0));
        try (Connection entering = stores.pool().getConnection();
                Statement statement = entering.createStatement()) {
            entering.setAutoCommit(false);
            statement.execute(updating("waiters = 'me-9000000000000000-ears', version = version + 1"));

            CompletionStage<Boolean> releasing = store.release(Asking.releasing(held));
            awaitLocked();
            entering.commit();

            assertThat(answer(releasing)).isTrue();
        }
        assertThat(column("expires_at IS NULL")).isEqualTo("true");
        assertThat(column("waiters")).startsWith("me-").doesNotContain("9000000000000000");
    }

    @Test
    void law05_a_release_ends_nothing_but_the_lease_of_its_claim() throws SQLException {
        Claim held = granted(asking("holder", 0));
        String before = column("version");
        List<Claim> others = List.of(
                held.withToken(held.token() + 1),
                new Claim(name, "other", held.incarnation(), held.attempt(), held.token()),
                new Claim(name, held.holder(), "other", held.attempt(), held.token()),
                new Claim(name, held.holder(), held.incarnation(), held.attempt() + 1, held.token()),
                new Claim("no " + name, held.holder(), held.incarnation(), held.attempt(), held.token()));
        for (Claim other : others) {
            assertThat(answer(store.release(Asking.releasing(other)))).isFalse();
        }
        assertThat(column("version")).isEqualTo(before);

        execute(updating("expires_at = clock_timestamp()"));
        assertThat(answer(store.release(Asking.releasing(held)))).isFalse();
        assertThat(column("version")).isEqualTo(before);
    }

    @Test
    void law05_a_release_that_burns_or_keeps_the_name_taken_does_so() throws SQLException {
        Claim held = granted(asking("holder", 0));
        assertThat(answer(store.release(new ReleaseRequest(held, Duration.ofMinutes(1), ReleaseMode.PLAIN))))
                .isTrue();
        assertThat(column("expires_at > clock_timestamp()")).isEqualTo("true");
        assertThat(answer(store.release(new ReleaseRequest(held, Duration.ZERO, ReleaseMode.BURN))))
                .isTrue();
        assertThat(column("counter > token AND expires_at IS NULL")).isEqualTo("true");
    }

    @Test
    void law21_only_who_stays_out_of_the_line_pays_for_a_denial_with_a_second_statement() {
        granted(asking("holder", 0));
        assertThat(counted.seen()).as("a new name").hasSize(2);
        LeaseRequest once = asking("other", 0);
        LeaseRequest waiting = new LeaseRequest(once.claim(), LeaseKind.LOCK, TTL, 0, Takeover.NONE, TTL);
        answer(store.acquire(waiting));

        counted.forget();
        assertThat(answer(store.acquire(waiting))).isInstanceOf(Acquisition.Denied.class);
        assertThat(counted.seen()).as("seen in line lately").hasSize(1);

        counted.forget();
        assertThat(answer(store.acquire(once))).isInstanceOf(Acquisition.Denied.class);
        assertThat(counted.seen()).as("out of the line").hasSize(2);
    }

    /** A lease of token 1, which is over. */
    private void over() throws SQLException {
        granted(asking("holder", 0));
        execute(updating("expires_at = clock_timestamp()"));
    }

    private Claim granted(LeaseRequest request) {
        return Asking.granted(store, request);
    }

    private LeaseRequest asking(String holder, long floor) {
        Claim claim = new Claim(name, holder, "incarnation of " + holder, NUMBERS.incrementAndGet(), 0);
        return new LeaseRequest(claim, LeaseKind.ELECTION, TTL, floor, Takeover.NONE, Duration.ZERO);
    }

    private LeaseRequest locking(String holder) {
        return new LeaseRequest(asking(holder, 0).claim(), LeaseKind.LOCK, TTL, 0, Takeover.NONE, Duration.ZERO);
    }

    private String updating(String changes) {
        return "UPDATE tenure_lease SET " + changes + " WHERE name = '" + name + "'";
    }

    private static void execute(String sql) throws SQLException {
        stores.database().execute(sql);
    }

    private static void awaitLocked() {
        await().until(() -> read(LOCKED).equals("1"));
    }

    private String column(String expression) throws SQLException {
        return read("SELECT (" + expression + ")::text FROM tenure_lease WHERE name = '" + name + "'");
    }

    private static String read(String sql) throws SQLException {
        try (Connection connection = stores.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
