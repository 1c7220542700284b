package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Law 27 for what databases say, also where no test brings them to say it. */
class FailureTellerTest {
    private static final FailureTeller FENCE = FailureTeller.ofFence("infra.fences");
    private static final FailureTeller LEASES = FailureTeller.ofLeases("infra.leases", "schema/h2.sql");

    @ParameterizedTest
    @CsvSource({
        "40001, 0, retry the transaction",
        "40P01, 0, retry the transaction",
        "HY000, 1020, retry the transaction",
        "40001, 1213, retry the transaction",
        "55P03, 0, retry the transaction",
        "57014, 0, retry the transaction",
        "HY000, 1205, retry the transaction",
        "70100, 1969, retry the transaction",
        "HYT00, 50200, retry the transaction",
        "25P02, 0, require the token first",
        "25P03, 0, no connection",
        "25P04, 0, no connection",
        "08006, 0, no connection",
        "57P01, 0, no connection",
        "53300, 0, no connection",
        "08S01, 1047, the server cannot do it now",
        "08004, 1040, the server cannot do it now",
        "HY000, 1206, the server cannot do it now",
        "90135, 90135, the server cannot do it now",
        "90031, 90031, the server cannot do it now",
        "25S03, 0, no connection",
        "90007, 90007, no connection",
        "HY000, 3572, retry the transaction",
    })
    void law27_what_passes_by_itself_is_transient(String state, int code, String advice) {
        StoreException told = FENCE.during("claiming 'x'", new SQLException("the server's words", state, code));

        assertThat(told.isTransient()).isTrue();
        assertThat(told).hasMessageContainingAll("claiming 'x'", advice, "the server's words");
    }

    @ParameterizedTest
    @CsvSource({
        "42P01, 0, createSchema",
        "42S02, 1146, createSchema",
        "42S04, 42104, createSchema",
        "42501, 0, 'SELECT, INSERT and UPDATE'",
        "42000, 1142, 'SELECT, INSERT and UPDATE'",
        "42000, 1044, 'SELECT, INSERT and UPDATE'",
        "90096, 90096, 'SELECT, INSERT and UPDATE'",
        "25006, 0, primary",
        "HY000, 1290, primary",
        "HY000, 1792, primary",
        "HY000, 1836, primary",
        "42703, 0, other columns",
        "42S22, 1054, other columns",
        "23505, 0, refused",
        "07001, 0, refused",
        "07006, 0, refused",
        "07001, 7001, refused",
        "21S01, 1136, refused",
        "44000, 1369, refused",
        "45000, 1644, refused",
        "P0001, 0, refused",
        "54001, 0, refused",
        "01000, 1265, refused",
        "HY000, 3819, refused",
        "08004, 0, 'check user, password'",
        "08004, 1251, 'check user, password'",
        "HY000, 1862, 'check user, password'",
        "90117, 90117, 'check user, password'",
        "90040, 90040, 'SELECT, INSERT and UPDATE'",
        ", 0, refused",
    })
    void law27_what_somebody_has_to_mend_is_permanent(String state, int code, String advice) {
        StoreException told = FENCE.during("claiming 'x'", new SQLException("the server's words", state, code));

        assertThat(told.isTransient()).isFalse();
        assertThat(told).hasMessageContainingAll("claiming 'x'", advice, "the server's words");
    }

    private static StoreException updateThatTook(Duration taken, SQLException failure) {
        UpdateWords words = new UpdateWords(Optional.of(Duration.ofSeconds(1)), taken);
        return FailureTeller.ofUpdates("infra.fences", words).during("writing by fence 'x'", failure);
    }

    @Test
    void law27_an_update_is_put_down_to_its_time_out_only_when_that_was_reached() {
        Duration late = Duration.ofSeconds(1);
        SQLException cancelled = new SQLException("canceling statement due to user request", "57014");
        SQLException silence = new SQLException("I/O error", "08006", new SocketTimeoutException("Read timed out"));

        for (SQLException givenUp : List.of(
                cancelled, new SQLException("max_statement_time", "70100", 1969), new SQLTimeoutException("late"))) {
            assertThat(updateThatTook(late, givenUp)).hasMessageContaining("updateTimeout (PT1S) was reached");
        }
        assertThat(updateThatTook(late, silence))
                .hasMessageContainingAll("may have been carried out", "2 s after updateTimeout (PT1S)");
        for (StoreException other : List.of(
                updateThatTook(late.minusMillis(1), cancelled),
                updateThatTook(late, new SQLException("lock not available", "55P03")),
                updateThatTook(late, new SQLTimeoutException("Timeout trying to lock table", "HYT00", 50200)),
                updateThatTook(late, new SQLException("I/O error", "08006")))) {
            assertThat(other).hasMessageNotContaining("updateTimeout").matches(StoreException::isTransient);
        }
    }

    @Test
    void law27_a_read_only_connection_is_told_as_such_by_mysqls_driver_too() {
        SQLException refusal = new SQLException(
                "Connection is read-only. Queries leading to data modification are not allowed.", "S1009");

        for (FailureTeller teller : List.of(FENCE, LEASES)) {
            assertThat(teller.during("claiming 'x'", refusal))
                    .hasMessageContaining("connect to the primary")
                    .matches(told -> !told.isTransient());
        }
    }

    /** As MariaDB's driver throws whatever a trigger of the user's signals. */
    @Test
    void law27_a_driver_that_calls_everything_a_connection_in_trouble_is_not_believed() {
        SQLException signalled = new SQLTransientConnectionException("no more than three jobs", "45000", 1644);
        SQLException unheardOf = new SQLTransientConnectionException("whatever that is", "0Z001", 4999);

        assertThat(FENCE.during("writing by fence 'x'", signalled))
                .hasMessageContaining("the database refused the statement")
                .matches(told -> !told.isTransient());
        assertThat(FENCE.during("writing by fence 'x'", unheardOf)).hasMessageNotContaining("pool");
        assertThat(LEASES.during("acquiring 'x'", unheardOf))
                .hasMessageContaining("that Tenure does not know")
                .matches(StoreException::isTransient);
    }

    @Test
    void law27_drivers_that_only_tell_by_the_type_are_understood() {
        assertThat(SqlErrors.isBusy(new SQLTimeoutException("late"))).isTrue();
        assertThat(FENCE.during("x", new SQLTransientConnectionException("pool is empty"))
                        .isTransient())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "40001, 0, true, because of others",
        "55P03, 0, true, infra.leases",
        "57P01, 0, true, shuts down",
        "57P03, 0, true, shuts down",
        "53300, 0, true, shuts down",
        "08004, 1040, true, shuts down",
        "40P01, 0, true, because of others",
        "40001, 1213, true, because of others",
        "25006, 0, false, read-only",
        ", 0, true, it is tried again",
        "XX000, 0, true, it is tried again",
        "42P01, 0, false, JdbcLeaseStore.createSchema()",
        "42501, 0, false, UPDATE and DELETE on infra.leases",
        "23502, 0, false, schema/h2.sql",
        "22001, 1406, false, schema/h2.sql",
        "07001, 0, false, refused",
        "45000, 1644, false, refused",
        "28P01, 0, false, password",
        "3D000, 0, false, no such database",
    })
    void law27_leases_tell_the_same_of_their_table_and_try_again_what_nobody_knows(
            String state, int code, boolean passes, String advice) {
        StoreException told = LEASES.during("acquiring 'x'", new SQLException("the server's words", state, code));

        assertThat(told.isTransient()).isEqualTo(passes);
        assertThat(told).hasMessageContainingAll("acquiring 'x'", advice, "the server's words");
    }

    /** As PostgreSQL says it; see PgBouncerTest for how it comes about. */
    @ParameterizedTest
    @CsvSource({
        "26000, prepared statement \"S_3\" does not exist",
        "42P05, prepared statement \"S_3\" already exists",
        "08P01, 'bind message supplies 10 parameters, but prepared statement \"S_3\" requires 0'",
        "08P01, bind message has 15 result formats but query has 2 columns",
    })
    void law27_prepared_statements_that_a_pooler_mixes_up_are_told_with_the_setting_to_change(
            String state, String words) {
        SQLException mixedUp = new SQLException("ERROR: " + words, state);

        for (FailureTeller teller : List.of(FENCE, LEASES)) {
            assertThat(teller.during("claiming 'x'", mixedUp))
                    .hasMessageContainingAll("PgBouncer", "prepareThreshold=0", "max_prepared_statements", words)
                    .matches(told -> !told.isTransient());
        }
        assertThat(LEASES.during("acquiring 'x'", new SQLException("protocol violation", "08P01")))
                .hasMessageContaining("there is no connection")
                .matches(StoreException::isTransient);
    }

    @Test
    void law27_an_interrupted_wait_for_a_connection_passes() {
        SQLException interrupted = NotSentException.of(
                new SQLException("pool - Interrupted during connection acquisition", new InterruptedException()));

        for (FailureTeller teller : List.of(FENCE, LEASES)) {
            StoreException told = teller.during("claiming 'x'", interrupted);
            assertThat(told.isTransient()).isTrue();
            assertThat(told).hasMessageContainingAll("was interrupted", "Nothing was sent");
        }
    }

    @Test
    void law27_a_pool_without_connections_tells_what_keeps_it_from_having_one() {
        SQLException refused = new SQLException("password authentication failed", "28P01");
        SQLException timedOut = new SQLTransientConnectionException("not available, timed out", "28P01", refused);

        for (FailureTeller teller : List.of(FENCE, LEASES)) {
            assertThat(teller.during("claiming 'x'", new SQLTransientConnectionException("not available, timed out")))
                    .hasMessageContaining("the pool is too small")
                    .matches(StoreException::isTransient);
            assertThat(teller.during("claiming 'x'", NotSentException.of(timedOut)))
                    .hasMessageContaining("check user, password")
                    .matches(told -> !told.isTransient());
        }
    }

    /** As pools and drivers tell it: some by a state, some by a type, some by words alone. */
    static List<Exception> reasonsForNoConnection() {
        return List.of(
                new SQLException("The connection attempt failed.", "08001"),
                new SQLTransientConnectionException(
                        "not available, timed out", "08001", new SQLException("Connection refused", "08001")),
                new SQLNonTransientConnectionException("Socket fail to connect to host", "08000"),
                new SQLTimeoutException("Login timeout exceeded"),
                new SQLException("Cannot get a connection, pool error Timeout waiting for idle object"),
                new SQLException("Something unusual has occurred", "99999"),
                new SQLException("the database system is starting up", "57P03"),
                new IllegalStateException("pool's closed", new SQLException("Connection refused", "08001")),
                new IllegalStateException("pool's closed"));
    }

    @ParameterizedTest
    @MethodSource("reasonsForNoConnection")
    void law27_where_no_connection_was_to_be_had_it_is_told_that_nothing_was_sent(Exception reason) {
        for (FailureTeller teller : List.of(FENCE, LEASES)) {
            StoreException told = teller.during("claiming 'x'", NotSentException.of(reason));

            assertThat(told.isTransient()).as("%s", told.getMessage()).isTrue();
            assertThat(told).hasMessageContaining("Nothing was sent").hasCause(reason);
            assertThat(told.getMessage())
                    .containsAnyOf("connection refused", "Connection refused", String.valueOf(reason.getMessage()))
                    .doesNotContain("carried out", "locked", "retry the transaction", "NotSent");
        }
    }

    @Test
    void law27_a_connection_that_was_lost_later_is_not_told_as_if_nothing_was_sent() {
        for (FailureTeller teller : List.of(FENCE, LEASES)) {
            assertThat(teller.during("claiming 'x'", new SQLException("I/O error", "08006")))
                    .hasMessageContaining("may have been carried out")
                    .hasMessageNotContaining("Nothing was sent");
        }
    }

    @Test
    void law27_a_password_in_what_a_driver_says_is_told_to_nobody() {
        SQLException telling = new SQLException("no driver for jdbc:x://h/d?password=hunter2&a=b", "08001");

        StoreException told = FENCE.during("claiming 'x'", telling);

        assertThat(told).hasMessageContaining("password=***").hasMessageNotContaining("hunter2");
        assertThat(told.getCause()).hasMessageNotContaining("hunter2");
    }
}
