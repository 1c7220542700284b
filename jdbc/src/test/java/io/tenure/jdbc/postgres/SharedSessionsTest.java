package io.tenure.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tenure.jdbc.postgres.PostgresListener.Patience;
import io.tenure.jdbc.servers.Product;
import io.tenure.jdbc.servers.SqlDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Listening where sessions of the server are shared out to clients, as by PgBouncer in its transaction mode. */
class SharedSessionsTest {
    @RegisterExtension
    static final SqlDatabase POSTGRES = SqlDatabase.on(Product.POSTGRESQL);

    /** The session that it reads from may be one that another store listens on. */
    @Test
    void law20_what_is_said_to_another_listener_proves_nothing() throws SQLException {
        DataSource source = POSTGRES.dataSource();
        DataSource shared = ChangingConnections.listeningAlready(source, "neighbour");
        Recorder ears = new Recorder();
        try (PostgresListener listener = new PostgresListener(
                new ChangingConnections(shared).dataSource(), source, ears, new Patience(1_000, 200, 60_000))) {
            listener.start();

            await().pollInterval(Duration.ofMillis(50)).until(() -> {
                POSTGRES.execute("NOTIFY neighbour, 'probe'");
                return !ears.deaf.isEmpty() || listener.isLive();
            });

            assertThat(listener.isLive()).isFalse();
            assertThat(ears.deaf).singleElement().asString().contains("listenOn");
            assertThat(ears.listening).hasValue(0);
        }
    }

    @Test
    void law19_the_session_that_listens_stops_also_when_others_answer_in_between() throws SQLException {
        DataSource source = POSTGRES.dataSource();
        try (Connection first = source.getConnection();
                Connection second = source.getConnection();
                Connection third = source.getConnection()) {
            List<Connection> sessions = List.of(first, second, third);
            ListeningConnection listening =
                    ListeningConnection.of(ChangingConnections.takingTurns(sessions), "lasting", 5_000);
            assertThat(channels(first)).isEqualTo(1);

            listening.close();

            for (Connection session : sessions) {
                assertThat(channels(session)).isZero();
            }
        }
    }

    private static int channels(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM pg_listening_channels()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static final class Recorder implements Ears {
        final AtomicInteger listening = new AtomicInteger();
        final List<String> deaf = new CopyOnWriteArrayList<>();

        @Override
        public void listening() {
            listening.incrementAndGet();
        }

        @Override
        public void heard(String payload) {
            throw new IllegalStateException(payload);
        }

        @Override
        public void deaf(String reason) {
            deaf.add(reason);
        }
    }
}
