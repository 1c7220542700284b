package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tenure.LeaseLock;
import io.tenure.LockOptions;
import io.tenure.StoreException;
import io.tenure.Tenure;
import io.tenure.spi.Claim;
import io.tenure.spi.Renewal;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Law 10 with a network in between, which may say nothing. */
abstract class HungCases extends BusyCases {
    private TcpRelay relay;

    abstract DataSource through(int port) throws SQLException;

    @Override
    DataSource source() throws SQLException {
        relay = TcpRelay.to(Integer.parseInt(database().url().replaceAll(".*:(\\d+)/.*", "$1")));
        return through(relay.port());
    }

    @Override
    @AfterEach
    void close() {
        super.close();
        relay.close();
    }

    @Test
    void law10_a_call_to_a_server_that_says_nothing_is_cut_and_its_connection_is_not_used_again() {
        Claim held = Asking.granted(store, Asking.election("hung-1", 1));
        relay.hold(Direction.TO_CLIENT);
        long before = System.nanoTime();

        StoreException failure = Asking.failure(store.find("hung-1"));

        assertThat(failure.isTransient()).as("%s", failure).isTrue();
        assertThat(failure).hasMessageContaining("hung-1");
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(CALL.minusMillis(50), CALL.multipliedBy(3));
        await().atMost(PATIENCE).until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        relay.pass(Direction.TO_CLIENT);
        await().atMost(PATIENCE)
                .until(() -> Asking.answer(store.renew(List.of(Asking.renewing(held)))
                                .get(0)
                                .exceptionally(broken -> new Renewal.Lost(java.util.Optional.empty())))
                        .equals(RENEWED));
    }

    @Test
    void law24_a_wait_ends_in_its_budget_although_the_server_says_nothing() throws Exception {
        try (Tenure tenure = Tenure.over(JdbcLeaseStore.over(pool, OPTIONS)).open()) {
            LeaseLock lock = tenure.lock(
                    "hung-2", LockOptions.ofTtl(Duration.ofSeconds(10)).build());
            lock.run(held -> {});
            relay.hold(Direction.TO_CLIENT);
            long before = System.nanoTime();

            assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(700)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("hung-2");

            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isBetween(Duration.ofMillis(700), CALL); // nobody waits until the call itself is cut
            relay.pass(Direction.TO_CLIENT);
        }
    }

    @Test
    void law10_a_lost_connection_is_told_as_passing_and_the_next_call_has_another_one() {
        Claim held = Asking.granted(store, Asking.election("cut-1", 1));
        relay.hold(Direction.TO_SERVER);
        CompletionStage<?> asked = store.find("cut-1");
        await().atMost(PATIENCE).until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 1);

        relay.cut();

        StoreException failure = Asking.failure(asked);
        assertThat(failure.isTransient()).as("%s", failure).isTrue();
        assertThat(failure).hasMessageContaining("the connection was lost");
        relay.pass(Direction.TO_SERVER);
        assertThat(Asking.answer(store.release(Asking.releasing(held)))).isTrue();
    }

    @Test
    void law10_a_server_that_cannot_be_reached_is_told_as_passing_and_nothing_was_sent() throws SQLException {
        relay.refuse();
        try (JdbcLeaseStore without = JdbcLeaseStore.over(through(relay.port()), OPTIONS)) {
            StoreException failure = Asking.failure(without.acquire(Asking.election("nowhere-1", 1)));

            assertThat(failure.isTransient()).as("%s", failure).isTrue();
            assertThat(failure)
                    .hasMessageContainingAll("nowhere-1", "the server cannot be reached", "Nothing was sent")
                    .hasMessageNotContaining("carried out");
        }
    }
}
