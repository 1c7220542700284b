package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of a connection, whatever a driver does about it by itself. */
class OwnConnectionTest {
    private final Noted noted = new Noted();

    @Test
    void law10_a_connection_that_works_is_given_back_as_it_came() throws SQLException {
        try (OwnConnection own = OwnConnection.of(noted.source())) {
            own.limitNetwork(100);
            own.transaction(connection -> "done");
        }

        assertThat(noted.calls)
                .containsExactly(
                        "setNetworkTimeout 100",
                        "setAutoCommit false",
                        "commit",
                        "setAutoCommit true",
                        "setNetworkTimeout 7",
                        "close");
    }

    @Test
    void law10_a_connection_whose_statement_was_refused_is_given_back_as_it_came() throws SQLException {
        try (OwnConnection own = OwnConnection.of(noted.source())) {
            own.limitNetwork(100);
            assertThatThrownBy(() -> own.transaction(connection -> {
                        throw new SQLException("no such table", "42P01");
                    }))
                    .hasMessage("no such table");
        }

        assertThat(noted.calls)
                .containsExactly(
                        "setNetworkTimeout 100",
                        "setAutoCommit false",
                        "rollback",
                        "setAutoCommit true",
                        "setNetworkTimeout 7",
                        "close");
    }

    @Test
    void law10_a_connection_whose_short_question_was_refused_is_given_back_as_it_came() throws SQLException {
        try (OwnConnection own = OwnConnection.of(noted.source())) {
            assertThat(own.<String>briefly(Duration.ofMillis(50), connection -> "answered"))
                    .isEqualTo("answered");
            assertThatThrownBy(() -> own.briefly(Duration.ofMillis(60), connection -> {
                        throw new SQLException("canceled", "57014");
                    }))
                    .hasMessage("canceled");
        }

        assertThat(noted.calls)
                .containsExactly(
                        "setNetworkTimeout 50",
                        "setNetworkTimeout 7",
                        "setNetworkTimeout 60",
                        "setNetworkTimeout 7",
                        "close");
    }

    @Test
    void law10_a_connection_on_which_the_next_statement_may_be_given_up_is_ended_first() throws SQLException {
        try (OwnConnection own = OwnConnection.of(noted.source())) {
            own.limitStatements(new OwnConnection.Limit() {
                @Override
                public void applyTo(PreparedStatement statement) {}

                @Override
                public boolean end() {
                    return false;
                }
            });
        }

        assertThat(noted.calls).containsExactly("abort", "close");
    }

    @Test
    void law10_a_connection_whose_answer_may_still_come_is_ended_first() throws SQLException {
        try (OwnConnection own = OwnConnection.of(noted.source())) {
            assertThatThrownBy(() -> own.committing(connection -> {
                        throw new SQLException("read timed out", "08006");
                    }))
                    .hasMessage("read timed out");
        }

        assertThat(noted.calls).containsExactly("abort", "close");
    }

    @Test
    void law10_a_connection_that_cannot_be_put_back_as_it_came_is_ended_first() throws SQLException {
        try (OwnConnection own = OwnConnection.of(noted.source())) {
            own.transaction(connection -> "done");
            noted.failing = "setAutoCommit";
        }

        assertThat(noted.calls)
                .containsExactly("setAutoCommit false", "commit", "setAutoCommit true", "abort", "close");
    }

    @Test
    void law10_a_connection_that_cannot_roll_back_is_ended_first() throws SQLException {
        noted.failing = "rollback";
        try (OwnConnection own = OwnConnection.of(noted.source())) {
            assertThatThrownBy(() -> own.transaction(connection -> {
                        throw new IllegalStateException("stale");
                    }))
                    .hasMessage("stale");
        }

        assertThat(noted.calls).containsExactly("setAutoCommit false", "rollback", "abort", "close");
    }

    /** A connection with auto-commit on and a time-out of 7 ms, and what changed it. */
    private static final class Noted {
        final List<String> calls = new ArrayList<>();
        String failing = "";
        private boolean autoCommit = true;

        DataSource source() {
            Connection connection = (Connection) Proxy.newProxyInstance(
                    OwnConnectionTest.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> answer(method.getName(), arguments));
            return (DataSource) Proxy.newProxyInstance(
                    OwnConnectionTest.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> connection);
        }

        private @Nullable Object answer(String method, Object @Nullable [] arguments) throws SQLException {
            if (method.equals("getAutoCommit")) {
                return autoCommit;
            }
            if (method.equals("getNetworkTimeout")) {
                return 7;
            }
            calls.add(
                    method.equals("abort") || arguments == null
                            ? method
                            : method + " " + arguments[arguments.length - 1]);
            if (method.equals(failing)) {
                throw new SQLException("no " + method, "HY000");
            }
            if (method.equals("setAutoCommit") && arguments != null) {
                autoCommit = (boolean) arguments[0];
            }
            return null;
        }
    }
}
