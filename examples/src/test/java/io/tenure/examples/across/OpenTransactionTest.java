package io.tenure.examples.across;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.Elector;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.TenureEvent.Elected;
import io.tenure.TenureEvent.WorkFailed;
import io.tenure.TokenSource;
import io.tenure.examples.LocalPostgres;
import io.tenure.examples.LocalRedis;
import io.tenure.examples.Program;
import io.tenure.jdbc.JdbcFence;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases in Redis, and a leader that is stopped, beyond its ttl, in the middle of a transaction of PostgreSQL. */
class OpenTransactionTest {
    @RegisterExtension
    static final LocalRedis REDIS = new LocalRedis();

    @RegisterExtension
    static final LocalPostgres POSTGRES = new LocalPostgres();

    private final String role = "role-" + UUID.randomUUID();
    private Program old;
    private long token;
    private Instance next;

    @BeforeAll
    static void makeTables() throws SQLException {
        Tables.make(POSTGRES);
    }

    @BeforeEach
    void elect() throws IOException {
        old = Program.start(LateLeader.class, Crossing.LEASES_IN_REDIS.name(), REDIS.uri(), POSTGRES.url(), role);
        next = Crossing.LEASES_IN_REDIS.open(REDIS.uri(), POSTGRES.url(), role, TokenSource.STORE_CLOCK);
        old.tell("campaign");
        token = Long.parseLong(old.hear("token"));
    }

    @AfterEach
    void close() throws InterruptedException {
        old.kill();
        old.close();
        next.close();
    }

    private void order(String line, String answer) throws IOException {
        old.tell(line);
        old.hear(answer);
    }

    private long granted() {
        return next.tenure
                .find(role)
                .filter(lease -> lease.token() > token)
                .map(lease -> lease.token())
                .orElse(0L);
    }

    private List<String> written() throws SQLException {
        return POSTGRES.column("SELECT value FROM state WHERE name = '" + role + "'");
    }

    @Test
    void law26_the_successor_waits_for_a_transaction_that_was_open_and_finds_what_it_wrote() throws Exception {
        order("begin", "begun");
        order("require", "required");
        order("insert of-the-old", "inserted");
        AtomicReference<List<String>> found = new AtomicReference<>(List.of());
        Elector elector = next.elector();
        elector.campaign(term -> {
            found.set(written());
            next.write(term.token(), "of-the-new");
            Awaitility.await().forever().until(() -> !term.isHeld());
        });

        old.pause();
        CrossingLaws.soon("the lease is the successor's", () -> granted() > token);
        CrossingLaws.soon("and its claim is announced", () -> isRefused(token));
        assertThat(elector.isLeader()).isFalse();
        assertThat(written()).isEmpty();
        assertThat(next.events(WorkFailed.class))
                .as("it waits, and has not given up")
                .isEmpty();
        assertThat(next.events(Elected.class)).isEmpty();
        old.tell("commit");
        old.resume();

        old.hear("committed");
        CrossingLaws.soon("leads", elector::isLeader);
        CrossingLaws.soon("has written", () -> written().equals(List.of("of-the-new")));
        assertThat(found.get()).as("what it found when its work began").containsExactly("of-the-old");
        order("write late", "refused");
        assertThat(written()).containsExactly("of-the-new");
    }

    /** By a connection of its own, while the transaction is still open. */
    private boolean isRefused(long stale) throws SQLException {
        try (Connection connection = LocalPostgres.source(POSTGRES.url()).getConnection()) {
            connection.setAutoCommit(false);
            ((JdbcFence) next.fence).require(connection, stale);
            connection.rollback();
            return false;
        } catch (StaleTokenException e) {
            return true;
        }
    }

    @Test
    void law25_a_transaction_that_was_begun_before_the_pause_and_requires_its_token_after_it_is_refused()
            throws Exception {
        order("begin", "begun");
        Elector elector = next.elector();
        elector.campaign();

        old.pause();
        CrossingLaws.soon("the other leads, and waits for nothing", elector::isLeader);
        old.tell("require");
        old.resume();

        assertThat(old.hear("refused")).isEqualTo(token + " " + elector.token().orElseThrow());
        order("commit", "committed");
        assertThat(written()).isEmpty();
    }

    @Test
    void law26_a_transaction_that_stays_open_costs_the_successor_its_claim_until_that_process_is_gone()
            throws Exception {
        order("begin", "begun");
        order("require", "required");
        order("insert of-the-old", "inserted");
        Elector elector = next.elector();
        elector.campaign();

        old.pause();
        CrossingLaws.soon("gives up", () -> !next.events(WorkFailed.class).isEmpty());
        assertThat(next.events(WorkFailed.class).get(0).cause())
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.isTransient()).isTrue())
                .hasMessageContaining(role)
                .hasMessageContaining("still open");
        assertThat(elector.isLeader()).isFalse();
        assertThatThrownBy(() -> next.write(token, "late")).isInstanceOf(StaleTokenException.class);
        old.kill(); // whereupon the server rolls back

        CrossingLaws.soon("leads", elector::isLeader);
        assertThat(written()).isEmpty();
        next.write(elector.token().orElseThrow(), "of-the-new");
        assertThat(written()).containsExactly("of-the-new");
    }
}
