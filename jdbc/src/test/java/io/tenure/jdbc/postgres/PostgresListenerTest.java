package io.tenure.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tenure.jdbc.postgres.PostgresListener.Patience;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import io.tenure.testkit.net.Direction;
import io.tenure.testkit.net.TcpRelay;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresListenerTest {
    private static final Patience SHORT = new Patience(1_000, 200, 60_000);

    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase ELSEWHERE = SqlDatabase.on(Product.POSTGRESQL);

    @RegisterExtension
    static final SqlDatabase H2 = SqlDatabase.on(Product.H2);

    private final Recorder ears = new Recorder();
    private final List<PostgresListener> listeners = new ArrayList<>();
    private DataSource source;

    @BeforeEach
    void reach() throws SQLException {
        await().until(() -> backends() == 0);
        source = POSTGRES.dataSource();
    }

    @AfterEach
    void close() throws SQLException {
        listeners.forEach(PostgresListener::close);
        await().until(() -> backends() == 0);
    }

    @Test
    void law20_what_is_said_on_another_connection_is_heard() throws SQLException {
        PostgresListener listener = listening(source, source);

        say(listener, "12 somebody ' \" \\ \uD83D\uDC51");

        await().until(() -> ears.heard.equals(List.of("12 somebody ' \" \\ \uD83D\uDC51")));
    }

    @Test
    void law20_nothing_is_opened_before_somebody_waits() {
        ChangingConnections asked = new ChangingConnections(source);
        PostgresListener listener = opened(asked.dataSource(), asked.dataSource());

        assertThat(listener.isLive()).isFalse();
        assertThat(listener.isPromising()).isFalse();
        assertThat(threads(listener)).isZero();
        assertThat(asked.given()).isZero();
    }

    @Test
    void law20_a_listener_whose_backend_was_ended_listens_again_and_says_so() throws SQLException {
        PostgresListener listener = listening(source, source);

        execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND"
                + " pid <> pg_backend_pid()");

        await().until(() -> ears.listening.get() == 2 && listener.isLive());
        say(listener, "again");
        await().until(() -> ears.heard.contains("again"));
        assertThat(ears.deaf).isEmpty();
    }

    @Test
    void law20_a_listener_whose_connection_was_cut_is_not_live_until_it_listens_again() throws SQLException {
        try (TcpRelay relay = relay()) {
            PostgresListener listener = listening(through(relay), source);
            relay.refuse();
            relay.cut();
            await().until(() -> !listener.isLive());
            assertThat(listener.isPromising()).isTrue();

            relay.accept();

            await().until(() -> ears.listening.get() == 2 && listener.isLive());
            say(listener, "again");
            await().until(() -> ears.heard.contains("again"));
            assertThat(ears.deaf).isEmpty();
            listener.close();
        }
    }

    @Test
    void law20_a_connection_whose_other_end_is_gone_is_noticed_and_replaced() throws SQLException {
        try (TcpRelay relay = relay()) {
            PostgresListener listener = listening(through(relay), source);
            relay.swallow(Direction.TO_SERVER);
            relay.swallow(Direction.TO_CLIENT);

            await().until(() -> !listener.isLive());

            relay.cut(); // what was half a connection stays one
            relay.pass(Direction.TO_SERVER);
            relay.pass(Direction.TO_CLIENT);
            await().atMost(Duration.ofSeconds(30)).until(listener::isLive);
            say(listener, "again");
            await().until(() -> ears.heard.contains("again"));
            listener.close();
        }
    }

    @Test
    void law20_where_every_statement_may_have_another_connection_waiters_are_told_once_to_poll() {
        ChangingConnections changing = new ChangingConnections(source);
        DataSource bouncer = changing.dataSource();
        PostgresListener listener = opened(bouncer, bouncer, new Patience(200, 200, 10));

        listener.start();

        await().until(() -> changing.given() >= 6); // three times, with one to listen on and one to speak on
        assertThat(listener.isLive()).isFalse();
        assertThat(listener.isPromising()).isFalse();
        assertThat(ears.deaf).singleElement().asString().contains("(listenOn)").doesNotContain("another database");
        assertThat(ears.listening).hasValue(0);
    }

    @Test
    void law20_a_data_source_for_another_database_hears_nothing_and_is_told() throws SQLException {
        PostgresListener listener = opened(ELSEWHERE.dataSource(), source);

        listener.start();

        await().until(() -> !ears.deaf.isEmpty());
        assertThat(ears.deaf).singleElement().asString().contains("not heard", "listenOn is for another database");
    }

    @Test
    void law20_on_another_database_the_listening_ends_without_a_word() throws SQLException {
        PostgresListener listener = opened(H2.dataSource(), source);

        listener.start();

        await().until(() -> !listener.isPromising() && threads(listener) == 0);
        assertThat(ears.deaf).isEmpty();
    }

    @Test
    void law20_connections_of_another_driver_are_told_once_and_end_the_listening() {
        PostgresListener listener = opened(ChangingConnections.ofAnotherDriver(source), source);

        listener.start();

        await().until(() -> ears.deaf.size() == 1 && threads(listener) == 0);
        assertThat(ears.deaf).singleElement().asString().contains("org.postgresql.PGConnection");
        assertThat(listener.isPromising()).isFalse();
    }

    @Test
    void law27_a_pool_with_nothing_to_spare_is_told_and_keeps_its_connection() throws Exception {
        try (HikariDataSource pool = pool(1)) {
            PostgresListener listener = opened(pool, pool);

            listener.start();

            await().until(() -> !ears.deaf.isEmpty());
            assertThat(ears.deaf).singleElement().asString().contains("spare");
            try (Connection own = pool.getConnection()) {
                assertThat(own.isValid(5)).isTrue();
            }
            listener.close();
        }
    }

    @Test
    void law19_closing_gives_the_connection_back_to_its_pool_as_it_was() throws Exception {
        try (HikariDataSource pool = pool(2)) {
            PostgresListener listener = listening(pool, pool);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);

            listener.close();

            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            try (Connection one = pool.getConnection();
                    Connection other = pool.getConnection()) {
                assertThat(List.of(channels(one), channels(other))).containsExactly(0, 0);
                assertThat(List.of(one.getNetworkTimeout(), other.getNetworkTimeout()))
                        .containsExactly(0, 0);
            }
        }
    }

    @Test
    void law19_closing_leaves_neither_thread_nor_connection() throws SQLException {
        PostgresListener listener = listening(source, source);
        assertThat(threads(listener)).isEqualTo(1);

        listener.close();
        listener.close();

        assertThat(threads(listener)).isZero();
        await().until(() -> backends() == 0);
        listener.start();
        assertThat(threads(listener)).isZero();
    }

    @Test
    void law19_closing_while_the_server_is_silent_is_bounded() throws SQLException {
        try (TcpRelay relay = relay()) {
            PostgresListener listener = listening(through(relay), source, new Patience(60_000, 60_000, 60_000));
            relay.hold(Direction.TO_CLIENT);

            listener.close();

            await().until(() -> threads(listener) == 0);
        }
    }

    private PostgresListener listening(DataSource listenOn, DataSource speakOn) {
        return listening(listenOn, speakOn, SHORT);
    }

    private PostgresListener listening(DataSource listenOn, DataSource speakOn, Patience patience) {
        PostgresListener listener = opened(listenOn, speakOn, patience);
        listener.start();
        await().until(() -> ears.listening.get() == 1 && listener.isLive());
        return listener;
    }

    private PostgresListener opened(DataSource listenOn, DataSource speakOn) {
        return opened(listenOn, speakOn, SHORT);
    }

    private PostgresListener opened(DataSource listenOn, DataSource speakOn, Patience patience) {
        PostgresListener listener = new PostgresListener(listenOn, speakOn, ears, patience);
        listeners.add(listener);
        return listener;
    }

    private static void say(PostgresListener listener, String word) throws SQLException {
        try (Connection connection = POSTGRES.dataSource().getConnection();
                var statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, listener.channel());
            statement.setString(2, word);
            statement.execute();
        }
    }

    private static void execute(String sql) throws SQLException {
        POSTGRES.execute(sql);
    }

    private static int backends() throws SQLException {
        return number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()");
    }

    private static int number(String sql) throws SQLException {
        try (Connection connection = POSTGRES.dataSource().getConnection()) {
            return number(connection, sql);
        }
    }

    private static int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            return found.getInt(1);
        }
    }

    private static int channels(Connection connection) throws SQLException {
        return number(connection, "SELECT count(*) FROM pg_listening_channels()");
    }

    private static long threads(PostgresListener listener) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("tenure-jdbc-listen " + listener.channel()))
                .count();
    }

    private static HikariDataSource pool(int size) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(POSTGRES.dataSource());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(500);
        return new HikariDataSource(config);
    }

    private static TcpRelay relay() {
        return TcpRelay.to(
                URI.create(POSTGRES.url().substring("jdbc:".length())).getPort());
    }

    private static DataSource through(TcpRelay relay) {
        PGSimpleDataSource relayed = new PGSimpleDataSource();
        URI there = URI.create(POSTGRES.url().substring("jdbc:".length()));
        relayed.setURL("jdbc:postgresql://127.0.0.1:" + relay.port() + there.getPath());
        relayed.setUser(POSTGRES.admin());
        relayed.setPassword(POSTGRES.adminPassword());
        relayed.setConnectTimeout(2);
        relayed.setLoginTimeout(2);
        return relayed;
    }

    private static final class Recorder implements Ears {
        final AtomicInteger listening = new AtomicInteger();
        final List<String> heard = new CopyOnWriteArrayList<>();
        final List<String> deaf = new CopyOnWriteArrayList<>();

        @Override
        public void listening() {
            listening.incrementAndGet();
        }

        @Override
        public void heard(String payload) {
            heard.add(payload);
        }

        @Override
        public void deaf(String reason) {
            deaf.add(reason);
        }
    }
}
