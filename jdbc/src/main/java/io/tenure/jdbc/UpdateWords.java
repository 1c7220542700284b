package io.tenure.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a guarded update that failed: its statement is the user's, and leaves with the check of the fence, so what
 * the database complains of is most likely the user's too. The fence's table comes second. Immutable.
 *
 * @param limit how long the statement might take; empty for as long as it does
 * @param taken how long it took
 */
record UpdateWords(Optional<Duration> limit, Duration taken) implements FailureTeller.Words {
    @Override
    public String of(SqlFault fault, @Nullable SQLException telling) {
        boolean limited = limit.isPresent() && taken.compareTo(limit.get()) >= 0;
        return switch (fault) {
            case REFUSED ->
                "the database refused the statement of the update, or a value in it. If what it says is about {table}, that"
                        + " is not as Tenure needs it: compare it with {file} in the archive of tenure-jdbc";
            case LOCKED ->
                (limited && telling != null && SqlErrors.isGivenUp(telling)
                                ? "updateTimeout (" + limit.get() + ") was reached, and the statement given up: what it"
                                        + " touches may be locked, or it takes longer than that"
                                : "something that the statement touches was locked, or the server busy, or a time-out of the"
                                        + " session's was reached: look for a transaction that is open on its rows, or on"
                                        + " {table}")
                        + "{again}";
            case CONNECTION ->
                fault.advice()
                        + (limited && telling != null && isSilence(telling)
                                ? ". Nothing was heard until 2 s after updateTimeout (" + limit.get() + ")"
                                : "");
            case NO_TABLE ->
                "a table is missing: one that the statement names; or that of the fence, {table}, which is made once, by"
                        + " {maker} or by the statements of {file} in the archive of tenure-jdbc";
            case WRONG_TABLE ->
                "the statement does not go with the columns of a table, or their types. If what the database says is about"
                        + " {table}, that has other columns than Tenure needs: compare it with {file} in the archive of"
                        + " tenure-jdbc";
            case NO_RIGHT ->
                "the user lacks a right: one that the statement needs; or, of the fence, {rights} on {table}";
            default -> fault.advice();
        };
    }

    private static boolean isSilence(SQLException telling) {
        return SqlErrors.chain(telling).stream().anyMatch(SocketTimeoutException.class::isInstance);
    }
}
