package io.tenure.tool.demo.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tenure.tool.demo.Cleanup;
import io.tenure.tool.demo.Names;
import io.tenure.tool.demo.Probe;
import io.tenure.tool.demo.Server;
import io.tenure.tool.demo.Sighting;
import io.tenure.tool.demo.StepFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlServerTest {
    private static final Names NAMES = Names.of("tenure-demo-test");

    private Cleanup cleanup;

    @BeforeEach
    void open() throws IOException {
        cleanup = Cleanup.open(() -> {}, () -> {});
    }

    @AfterEach
    void close() {
        cleanup.close();
    }

    private static SqlBackend backend(String name) {
        return name.equals("h2") ? SqlBackend.h2() : SqlBackend.postgres();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "h2"})
    void a_server_of_the_demos_own_lets_nobody_in_without_its_password_and_is_gone_with_it(String store)
            throws Exception {
        Server server = backend(store).start(cleanup);
        assertThat(server.isGiven()).isFalse();
        assertThat(tablesOf(server)).isEmpty();
        try (Probe probe = backend(store).probe(server, NAMES)) {
            probe.prepare();
            assertThat(tablesOf(server)).hasSize(3);
            assertThat(probe.stored()).containsExactly("nothing", "nothing");
            probe.delete();
            assertThat(tablesOf(server)).isEmpty();
        }

        String guessed = server.url().replaceAll("(?i)(password)=.*", "$1=guessed");
        assertThatThrownBy(() -> DriverManager.getConnection(guessed))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).startsWith("28"));

        cleanup.close();
        assertThatThrownBy(() -> DriverManager.getConnection(server.url())).isInstanceOf(SQLException.class);
        assertThat(cleanup.directory()).doesNotExist();
    }

    private static List<String> tablesOf(Server server) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(server.url());
                ResultSet tables = connection.getMetaData().getTables(null, null, "%", new String[] {"TABLE"})) {
            while (tables.next()) {
                if (tables.getString("TABLE_NAME").toLowerCase(Locale.ROOT).startsWith("tenure")) {
                    names.add(tables.getString("TABLE_NAME"));
                }
            }
        }
        return names;
    }

    /** The claims about takeovers rest on this: the row of a lease outlives it. */
    @Test
    void a_lease_is_seen_until_the_database_says_that_it_is_over_and_its_expiry_is_exact_to_a_millisecond()
            throws Exception {
        Server server = SqlBackend.h2().start(cleanup);
        try (Probe probe = SqlBackend.h2().probe(server, NAMES)) {
            probe.prepare();
            assertThat(probe.lease(NAMES.role()).isHeld()).isFalse();

            execute(server, "CURRENT_TIMESTAMP(6) + INTERVAL '100.0009' SECOND(3, 6)");
            Sighting held = probe.lease(NAMES.role());
            assertThat(held.value()).isEqualTo("A#i-1-7");
            Sighting later = probe.lease(NAMES.role());
            assertThat(later.expiry()).isEqualTo(held.expiry());
            assertThat(held.left()).isBetween(90_000L, 100_001L);

            execute(server, "CURRENT_TIMESTAMP(6)");
            assertThat(probe.lease(NAMES.role()).isHeld()).isFalse();
            assertThat(probe.lease(NAMES.lock()).isHeld()).isFalse();
        }
    }

    private static void execute(Server server, String expiry) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            String table = "\"" + Tables.of(NAMES).lease() + "\"";
            statement.execute("DELETE FROM " + table);
            statement.execute("INSERT INTO " + table
                    + " (name, kind, holder, incarnation, attempt, token, counter, expires_at, waiters, version) VALUES"
                    + " (CAST('" + NAMES.role() + "' AS VARBINARY), 'ELECTION', CAST('A' AS VARBINARY),"
                    + " CAST('i' AS VARBINARY), 1, 7, 7, " + expiry + ", '', 1)");
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "postgres, redis://localhost:6379",
                "postgres, jdbc:postgresql://user:secret@localhost:5432/database",
                "postgres, jdbc:h2:tcp://localhost/database;PASSWORD=secret",
                "h2, jdbc:postgresql://localhost:5432/database?password=secret",
                "h2, jdbc:h2:mem:hidden",
                "h2, user:hidden@here"
            })
    void a_url_of_another_kind_is_not_repeated_and_the_right_form_is_told(String store, String url) {
        assertThatThrownBy(() -> backend(store).given(url))
                .isInstanceOf(StepFailed.class)
                .hasMessageContainingAll("TENURE_URL", store.equals("h2") ? "jdbc:h2:tcp://" : "jdbc:postgresql://")
                .message()
                .doesNotContain(url);
    }

    @ParameterizedTest
    @CsvSource({
        "postgres, jdbc:postgresql://127.0.0.1:%d/database?user=user&password=hidden",
        "h2, jdbc:h2:tcp://127.0.0.1:%d/database;USER=user;PASSWORD=hidden"
    })
    void a_given_database_that_does_not_answer_is_told_without_its_password(String store, String url) throws Exception {
        Server silent = backend(store).given(String.format(url, freePort()));
        assertThatThrownBy(() -> backend(store).probe(silent, NAMES).close())
                .isInstanceOf(StepFailed.class)
                .hasMessageContainingAll("TENURE_URL", "refused")
                .message()
                .doesNotContain("hidden");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
