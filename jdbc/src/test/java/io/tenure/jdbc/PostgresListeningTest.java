package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.jdbc.postgres.ChangingConnections;
import io.tenure.jdbc.servers.Product;
import io.tenure.spi.Claim;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On what waiters hear of releases: what it costs, what is done where nothing can be heard, and what is left. */
class PostgresListeningTest extends PushScene {
    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    @Override
    PooledStores stores() {
        return stores;
    }

    @Test
    void law20_two_hundred_names_are_waited_for_on_one_connection() throws SQLException {
        JdbcLeaseStore waiting = open(JdbcLeaseStore.over(stores.pool()));
        List<Claim> held = new ArrayList<>();
        List<List<Duration>> wakes = new ArrayList<>();
        int before = stores.pool().getHikariPoolMXBean().getActiveConnections();
        for (int i = 0; i < 200; i++) {
            String name = fresh();
            held.add(hold(name));
            List<Duration> own = new CopyOnWriteArrayList<>();
            waiting.wakeups().await(name, "me", own::add);
            ask(waiting, name, "me");
            wakes.add(own);
        }
        await().until(waiting.wakeups()::isLive);
        assertThat(stores.pool().getHikariPoolMXBean().getActiveConnections()).isEqualTo(before + 1);
        wakes.forEach(List::clear);
        held.forEach(claim -> ask(waiting, claim.name(), "me"));

        held.forEach(this::release);

        await().untilAsserted(() -> assertThat(wakes).allMatch(own -> own.contains(Duration.ZERO)));
    }

    @Test
    void law20_after_a_lost_connection_everybody_looks_once_and_pushes_arrive_again() throws SQLException {
        String name = fresh();
        Claim held = hold(name);
        Waiter first = new Waiter(name);

        stores.database()
                .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND query LIKE 'LISTEN%'");

        await().until(() ->
                first.wakes.contains(Duration.ZERO) && first.store.wakeups().isLive());
        first.wakes.clear();
        first.ask();
        release(held);
        await().until(() -> first.wakes.contains(Duration.ZERO));
    }

    @Test
    void law20_where_nothing_can_be_heard_waiters_poll_and_are_told_once_and_listening_elsewhere_mends_it() {
        DataSource bouncer = new ChangingConnections(stores.pool()).dataSource();
        JdbcLeaseStore deaf = open(JdbcLeaseStore.over(bouncer));
        deaf.listen(event -> events.add(event.toString()));
        String name = fresh();
        Claim held = hold(name);
        List<Duration> wakes = new CopyOnWriteArrayList<>();
        deaf.wakeups().await(name, "me", wakes::add);

        await().until(() -> !events.isEmpty());

        assertThat(deaf.wakeups().isLive()).isFalse();
        assertThat(ask(deaf, name, "me").place()).isEqualTo(1);
        counted.forget();
        release(held);
        assertThat(counted.seen()).hasSize(2);
        assertThat(wakes).isEmpty();
        assertThat(events).singleElement().asString().contains("(listenOn)");

        JdbcStoreOptions listening =
                JdbcStoreOptions.builder().listenOn(stores.pool()).build();
        String other = fresh();
        Claim heldToo = hold(other);
        Waiter hearing = new Waiter(other, JdbcLeaseStore.over(bouncer, listening));
        release(heldToo);
        await().until(() -> hearing.wakes.contains(Duration.ZERO));
    }

    @Test
    void law19_nothing_is_left_of_those_who_waited() throws SQLException {
        String name = fresh();
        hold(name);
        int before = stores.pool().getHikariPoolMXBean().getActiveConnections();
        Waiter first = new Waiter(name);
        Waiter second = new Waiter(name);
        String waiting = line(name);
        assertThat(listeningThreads(waiting)).isEqualTo(2);

        first.registration.close();
        second.registration.close();
        first.store.close();
        second.store.close();

        assertThat(line(name)).isEmpty();
        assertThat(listeningThreads(waiting)).isZero();
        // the one that the last word was said on goes back by itself
        await().until(() -> stores.pool().getHikariPoolMXBean().getActiveConnections() == before);
    }

    /** How many threads listen to channels of those in {@code line}. */
    private static long listeningThreads(String line) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(thread -> thread.getName().split(" "))
                .filter(words -> words[0].equals("tenure-jdbc-listen") && line.contains(words[1]))
                .count();
    }
}
