package io.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tenure.StoreException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Law 27 for what databases say, also where no test brings them to say it. */
class FenceErrorsTest {
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
        "08006, 0, no connection",
        "57P01, 0, no connection",
        "53300, 0, no connection",
    })
    void law27_what_passes_by_itself_is_transient(String state, int code, String advice) {
        StoreException told = FenceErrors.during("claiming 'x'", new SQLException("the server's words", state, code));

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
        ", 0, refused",
    })
    void law27_what_somebody_has_to_mend_is_permanent(String state, int code, String advice) {
        StoreException told = FenceErrors.during("claiming 'x'", new SQLException("the server's words", state, code));

        assertThat(told.isTransient()).isFalse();
        assertThat(told).hasMessageContainingAll("claiming 'x'", advice, "the server's words");
    }

    @Test
    void law27_drivers_that_only_tell_by_the_type_are_understood() {
        assertThat(FenceErrors.isBusy(new SQLTimeoutException("late"))).isTrue();
        assertThat(FenceErrors.during("x", new SQLTransientConnectionException("pool is empty"))
                        .isTransient())
                .isTrue();
    }
}
