package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.LeaseRecord;
import io.tenure.jdbc.postgres.ChangingConnections;
import io.tenure.jdbc.servers.Product;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.Takeover;
import io.tenure.spi.Wakeups;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the contract of wake-ups cannot see: what pushes cost, who is passed over, and what is left. */
class PostgresPushesTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration LINE = Duration.ofSeconds(20);

    @RegisterExtension
    static final PooledStores stores = PooledStores.on(Product.POSTGRESQL);

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final CountedStatements counted = new CountedStatements();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<JdbcLeaseStore> opened = new ArrayList<>();
    private JdbcLeaseStore holder;

    @BeforeEach
    void open() {
        holder = open(JdbcLeaseStore.over(counted.over(stores.pool())));
    }

    @AfterEach
    void close() {
        opened.forEach(JdbcLeaseStore::close);
    }

    @Test
    void law21_with_nobody_waiting_acquiring_and_releasing_are_one_statement_each() {
        String name = fresh();
        release(hold(name));
        counted.forget();

        Claim held = hold(name);
        assertThat(counted.seen()).hasSize(1);
        release(held);

        assertThat(counted.seen()).hasSize(2).noneMatch(sql -> sql.contains("pg_notify"));
    }

    @Test
    void law21_a_release_that_somebody_waits_for_is_two_statements_whatever_their_number() {
        String name = fresh();
        Claim held = hold(name);
        Waiter first = new Waiter(name);
        for (int i = 0; i < 20; i++) {
            ask(first.store, name, "other" + i);
        }
        counted.forget();

        release(held);

        assertThat(counted.seen()).hasSize(2);
        await().until(() -> first.wakes.contains(Duration.ZERO));
    }

    /** Where nobody waited, nobody is looked for. */
    @Test
    void law21_who_waits_is_told_also_by_a_store_whose_releases_met_nobody() {
        String name = fresh();
        release(hold(name));
        release(hold(name));
        Claim held = hold(name);
        Waiter first = new Waiter(name);
        counted.forget();

        release(held);

        assertThat(counted.seen()).hasSize(3);
        await().until(() -> first.wakes.contains(Duration.ZERO));
    }

    @Test
    void law21_a_waiter_that_was_seen_lately_asks_again_by_one_statement() {
        String name = fresh();
        hold(name);
        JdbcLeaseStore store = open(JdbcLeaseStore.over(counted.over(stores.pool())));
        ask(store, name, "me");
        counted.forget();

        assertThat(ask(store, name, "me").place()).isEqualTo(1);

        assertThat(counted.seen()).hasSize(1);
    }

    @Test
    void law21_who_is_told_and_does_not_ask_within_two_seconds_is_gone() throws Exception {
        String name = fresh();
        Claim held = hold(name);
        List<Waiter> gone = List.of(new Waiter(name), new Waiter(name));
        Waiter alive = new Waiter(name);
        gone.forEach(waiter -> waiter.store.close());
        release(held);
        Claim again = hold(name);
        assertThat(alive.ask().place()).isEqualTo(3);

        await().until(() -> alive.ask().place() == 1);
        release(again);

        await().until(() -> alive.wakes.contains(Duration.ZERO));
        assertThat(line(name)).contains(alive.incarnation).doesNotContain(gone.get(0).incarnation);
    }

    @Test
    void law21_who_is_told_and_asks_again_keeps_its_place_for_as_long_as_before() throws Exception {
        String name = fresh();
        Claim held = hold(name);
        Waiter first = new Waiter(name);
        release(held);
        hold(name);
        first.ask();

        TimeUnit.MILLISECONDS.sleep(2_200); // longer than somebody is waited for that was told

        assertThat(ask(holder, name, "another").place()).isEqualTo(2);
    }

    @Test
    void law21_who_cannot_hear_keeps_its_place_and_is_passed_over() throws Exception {
        String name = fresh();
        Claim held = hold(name);
        JdbcLeaseStore deaf = open(JdbcLeaseStore.over(stores.pool()));
        ask(deaf, name, "deaf");
        ask(deaf, name, "deaf too");
        Waiter hearing = new Waiter(name);

        release(held);

        await().until(() -> hearing.wakes.contains(Duration.ZERO));
        hold(name);
        assertThat(ask(deaf, name, "deaf").place()).isEqualTo(1);
        assertThat(hearing.ask().place()).isEqualTo(3);
    }

    @Test
    void law21_a_release_that_keeps_the_name_taken_tells_when_it_will_be_free() {
        String name = fresh();
        Claim held = hold(name);
        Waiter first = new Waiter(name);

        get(holder.release(new ReleaseRequest(held, Duration.ofMillis(700), ReleaseMode.PLAIN)));

        await().until(() -> first.wakes.contains(Duration.ofMillis(701)));
    }

    @Test
    void law21_names_that_are_hard_to_quote_are_told_too() {
        for (String name : List.of(fresh() + " ' \" \\ # - ", fresh() + "\uD83D\uDC51", "x".repeat(500) + fresh())) {
            Claim held = hold(name);
            Waiter first = new Waiter(name);

            release(held);

            await().until(() -> first.wakes.contains(Duration.ZERO));
        }
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

    /** Somebody who waits: registered, in line, and past the wake that tells that pushes arrive from now on. */
    private final class Waiter {
        final JdbcLeaseStore store;
        final String incarnation = UUID.randomUUID().toString().replace("-", "");
        final String name;
        final List<Duration> wakes = new CopyOnWriteArrayList<>();
        final Wakeups.Registration registration;

        Waiter(String name) {
            this(name, JdbcLeaseStore.over(stores.pool()));
        }

        Waiter(String name, JdbcLeaseStore store) {
            this.name = name;
            this.store = open(store);
            registration = store.wakeups().await(name, incarnation, wakes::add);
            await().until(() -> store.wakeups().isLive() && wakes.contains(Duration.ZERO));
            ask();
            wakes.clear();
        }

        Acquisition.Denied ask() {
            return PostgresPushesTest.ask(store, name, incarnation);
        }
    }

    private JdbcLeaseStore open(JdbcLeaseStore store) {
        opened.add(store);
        return store;
    }

    private static String fresh() {
        return "pushed" + NUMBERS.incrementAndGet();
    }

    private static LeaseRequest request(String name, String incarnation, Duration lineFor) {
        Claim claim = new Claim(name, "holder " + incarnation, incarnation, NUMBERS.incrementAndGet(), 0);
        return new LeaseRequest(claim, LeaseKind.ELECTION, TTL, 0, Takeover.NONE, lineFor);
    }

    private Claim hold(String name) {
        LeaseRequest request = request(name, "holding", Duration.ZERO);
        Acquisition answer = get(holder.acquire(request));
        if (answer instanceof Acquisition.Granted granted) {
            return request.claim().withToken(granted.token());
        }
        // the only holder of these tests has it from before
        LeaseRecord own = ((Acquisition.Denied) answer).current();
        release(new Claim(name, own.holder(), own.incarnation(), own.attempt(), own.token()));
        return hold(name);
    }

    private void release(Claim claim) {
        assertThat(get(holder.release(new ReleaseRequest(claim, Duration.ZERO, ReleaseMode.PLAIN))))
                .isTrue();
    }

    private static Acquisition.Denied ask(JdbcLeaseStore store, String name, String incarnation) {
        Acquisition answer = get(store.acquire(request(name, incarnation, LINE)));
        assertThat(answer).isInstanceOf(Acquisition.Denied.class);
        return (Acquisition.Denied) answer;
    }

    private static String line(String name) throws SQLException {
        try (Connection connection = stores.pool().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT waiters FROM tenure_lease WHERE name = ?")) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
