package io.tenure.jdbc;

import io.tenure.StoreException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.Set;

/** Tells failures of databases that pass by themselves from those that somebody has to mend. Without state. */
final class FenceErrors {
    // Of MariaDB and MySQL, which share one state among many errors.
    private static final int RECORD_HAS_CHANGED = 1020;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final Set<Integer> DENIED_BY_MARIADB = Set.of(1044, 1142, 1143, 1227);
    private static final Set<Integer> READ_ONLY_IN_MARIADB = Set.of(1290, 1792, 1836);
    // Of H2.
    private static final int H2_LOCK_TIMEOUT = 50200;
    private static final int H2_DENIED = 90096;
    private static final int H2_READ_ONLY = 90097;
    private static final Set<Integer> H2_GONE = Set.of(90067, 90098, 90121);

    private static final Set<String> BUSY = Set.of("55P03", "57014", "HYT00", "70100");
    private static final Set<String> MISSING = Set.of("42P01", "3F000", "42S02", "42S03", "42S04", "90079");
    private static final Set<String> OTHER_COLUMNS = Set.of("42703", "42S22", "42883", "42804", "22018");

    private FenceErrors() {}

    /** Whether something was locked for as long as the statement was to wait. */
    static boolean isBusy(SQLException failure) {
        return failure instanceof SQLTimeoutException
                || BUSY.contains(state(failure))
                || failure.getErrorCode() == LOCK_WAIT_TIMEOUT
                || failure.getErrorCode() == H2_LOCK_TIMEOUT;
    }

    /** Whether the database ended a transaction for the sake of others: the same one may succeed when it is run again. */
    static boolean isConflict(SQLException failure) {
        return state(failure).startsWith("40") || failure.getErrorCode() == RECORD_HAS_CHANGED;
    }

    /** What failed, and what to do about it: {@code "claiming 'x'"}. */
    static StoreException during(String what, SQLException failure) {
        String lead = "Failed " + what + ": ";
        String told = " [" + failure.getMessage() + "]";
        String state = state(failure);
        int code = failure.getErrorCode();
        if (isConflict(failure)) {
            return StoreException.passing(
                    lead
                            + "the database ended the transaction because of others. That says nothing about the token: roll"
                            + " back, and retry the transaction" + told,
                    failure);
        }
        if (isBusy(failure)) {
            return StoreException.passing(
                    lead + "something was locked for too long, or the statement took too long. That says nothing about"
                            + " the token: roll back, and retry the transaction" + told,
                    failure);
        }
        if (state.equals("25P02")) {
            return StoreException.passing(
                    lead + "an earlier statement of the transaction has failed: roll back, and require the token first"
                            + told,
                    failure);
        }
        if (state.equals("25006") || READ_ONLY_IN_MARIADB.contains(code) || code == H2_READ_ONLY) {
            return StoreException.permanent(
                    lead + "the server is a read-only replica, or the transaction is read-only: connect to the primary,"
                            + " and leave read-only off" + told,
                    failure);
        }
        if (MISSING.contains(state)) {
            return StoreException.permanent(
                    lead
                            + "a table is missing. That of the fence is made by JdbcFence.createSchema, or by schema/fence-*.sql"
                            + " in the archive" + told,
                    failure);
        }
        if (state.equals("42501") || DENIED_BY_MARIADB.contains(code) || code == H2_DENIED) {
            return StoreException.permanent(
                    lead + "the user lacks a right: on the table of the fence it needs SELECT, INSERT and UPDATE,"
                            + " and CREATE to make it" + told,
                    failure);
        }
        if (OTHER_COLUMNS.contains(state)) {
            return StoreException.permanent(
                    lead
                            + "a table has other columns than the statement. That of the fence is as in schema/fence-*.sql in"
                            + " the archive" + told,
                    failure);
        }
        if (isConnection(failure, state)) {
            return StoreException.passing(
                    lead + "no connection, or it was lost; what was under way may have been carried out" + told,
                    failure);
        }
        return StoreException.permanent(lead + "the database refused it" + told, failure);
    }

    private static boolean isConnection(SQLException failure, String state) {
        return failure instanceof SQLTransientException
                || failure instanceof SQLRecoverableException
                || failure instanceof SQLNonTransientConnectionException
                || state.startsWith("08")
                || state.startsWith("53")
                || state.startsWith("57P")
                || state.startsWith("58")
                || H2_GONE.contains(failure.getErrorCode());
    }

    private static String state(SQLException failure) {
        String state = failure.getSQLState();
        return state == null ? "" : state;
    }
}
