package io.tenure.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Map;
import java.util.Set;

/**
 * What can go wrong with a database, and what to do about it. {@code {table}} stands for the table of ours that it is about,
 * {@code {file}} for where that is written down, {@code {maker}} for what makes it, {@code {rights}} for what it takes to use
 * it, {@code {again}} for whose it is to try again.
 *
 * <p>PostgreSQL tells by the SQLSTATE (appendix A of its manual), MariaDB and MySQL by error numbers (their states are
 * mostly {@code HY000}), H2 by both, which are the same digits. The later a constant stands, the more it says when several
 * come together: a pool that has no connection to give says why only behind that.
 */
enum SqlFault {
    UNKNOWN(Outlook.PASSES, "the database failed in a way that Tenure does not know{again}"),
    REFUSED(
            Outlook.STAYS,
            "the database refused the statement, or a value in it; or the table {table} is not as Tenure needs it: compare it"
                    + " with {file} in the archive of tenure-jdbc"),
    POOL(
            Outlook.PASSES,
            "there was no connection to be had: the pool is too small for what uses it, its connections are stuck, it is"
                    + " closed, or the database cannot be reached"),
    INTERRUPTED(Outlook.PASSES, "the thread was interrupted while it waited for a connection"),
    LOST_RACE(Outlook.PASSES, "the database ended the transaction, and undid it, because of others{again}"),
    FAILED_BEFORE(
            Outlook.PASSES,
            "an earlier statement of the transaction has failed: roll back, and require the token first"),
    LOCKED(
            Outlook.PASSES,
            "something was locked, or the server busy, for longer than the call may take: look for a transaction that is open"
                    + " on {table}{again}"),
    UNREACHABLE(
            Outlook.PASSES,
            "there is no connection: the server cannot be reached, or does not answer, or the connection was lost just when it was"
                    + " to be used"),
    CONNECTION(
            Outlook.PASSES,
            "there is no connection: the connection was lost, or the server does not answer; what was under way may have been"
                    + " carried out"),
    SERVER(
            Outlook.PASSES,
            "the server cannot do it now: it starts, shuts down, or has no connection, memory or disk to spare"),
    READ_ONLY(
            Outlook.STAYS,
            "the server, the database, the connection or the transaction is read-only: connect to the primary, with"
                    + " connections that may write"),
    MIXED_UP(
            Outlook.STAYS,
            "the server's session does not have the statement that the driver prepared, or has another one by that name:"
                    + " something between the two, such as PgBouncer in transaction mode, changes sessions. Set"
                    + " prepareThreshold=0 in the URL, for all that uses this pool; or, from PgBouncer 1.21 on, its"
                    + " max_prepared_statements. This statement was not run, but others may have been in the place of others"),
    NO_TABLE(
            Outlook.STAYS,
            "a table is missing. The table {table} is made once, by {maker} or by the statements of {file} in the archive of"
                    + " tenure-jdbc; or set the schema that it is in"),
    WRONG_TABLE(
            Outlook.STAYS,
            "a table has other columns than the statement, or of other types; or the table {table} is not as Tenure needs it:"
                    + " compare it with {file} in the archive of tenure-jdbc"),
    NO_RIGHT(
            Outlook.STAYS,
            "the user lacks a right: grant it {rights} on {table}; making the table needs the right to do that"),
    NO_DATABASE(Outlook.STAYS, "there is no such database or schema: check the URL and the options"),
    NO_ENTRY(
            Outlook.STAYS,
            "the database does not let this user in: check user, password, TLS and where it may come from");

    private static final Map<String, SqlFault> BY_STATE = Map.ofEntries(
            Map.entry("40001", LOST_RACE),
            Map.entry("40P01", LOST_RACE),
            Map.entry("08004", NO_ENTRY),
            Map.entry("25P02", FAILED_BEFORE),
            Map.entry("25P03", CONNECTION),
            Map.entry("25S03", CONNECTION),
            Map.entry("25P04", CONNECTION),
            Map.entry("55P03", LOCKED),
            Map.entry("57014", LOCKED),
            Map.entry("70100", LOCKED),
            Map.entry("HYT00", LOCKED),
            Map.entry("55006", SERVER),
            Map.entry("25006", READ_ONLY),
            Map.entry("26000", MIXED_UP),
            Map.entry("42P05", MIXED_UP),
            Map.entry("42P01", NO_TABLE),
            Map.entry("42S02", NO_TABLE),
            Map.entry("42S03", NO_TABLE),
            Map.entry("42S04", NO_TABLE),
            Map.entry("22018", WRONG_TABLE),
            Map.entry("42703", WRONG_TABLE),
            Map.entry("42804", WRONG_TABLE),
            Map.entry("42809", WRONG_TABLE),
            Map.entry("42883", WRONG_TABLE),
            Map.entry("42P10", WRONG_TABLE),
            Map.entry("42S22", WRONG_TABLE),
            Map.entry("42501", NO_RIGHT),
            Map.entry("3D000", NO_DATABASE),
            Map.entry("3F000", NO_DATABASE),
            Map.entry("28000", NO_ENTRY),
            Map.entry("28P01", NO_ENTRY));

    private static final Map<Integer, SqlFault> BY_CODE = Map.ofEntries(
            Map.entry(1020, LOST_RACE),
            Map.entry(1213, LOST_RACE),
            Map.entry(90131, LOST_RACE),
            Map.entry(1205, LOCKED),
            Map.entry(1317, LOCKED),
            Map.entry(1969, LOCKED),
            Map.entry(3024, LOCKED),
            Map.entry(3572, LOCKED),
            Map.entry(50200, LOCKED),
            Map.entry(1927, CONNECTION),
            Map.entry(90007, CONNECTION),
            Map.entry(90067, CONNECTION),
            Map.entry(1021, SERVER),
            Map.entry(1037, SERVER),
            Map.entry(1038, SERVER),
            Map.entry(1040, SERVER),
            Map.entry(1041, SERVER),
            Map.entry(1047, SERVER),
            Map.entry(1053, SERVER),
            Map.entry(1114, SERVER),
            Map.entry(1203, SERVER),
            Map.entry(1206, SERVER),
            Map.entry(1226, SERVER),
            Map.entry(1637, SERVER),
            Map.entry(90020, SERVER),
            Map.entry(90028, SERVER),
            Map.entry(90031, SERVER),
            Map.entry(90098, SERVER),
            Map.entry(90108, SERVER),
            Map.entry(90121, SERVER),
            Map.entry(90135, SERVER),
            Map.entry(1290, READ_ONLY),
            Map.entry(1792, READ_ONLY),
            Map.entry(1836, READ_ONLY),
            Map.entry(90097, READ_ONLY),
            Map.entry(1146, NO_TABLE),
            Map.entry(1054, WRONG_TABLE),
            Map.entry(1264, REFUSED),
            Map.entry(1265, REFUSED),
            Map.entry(1292, REFUSED),
            Map.entry(1364, REFUSED),
            Map.entry(1366, REFUSED),
            Map.entry(1406, REFUSED),
            Map.entry(3819, REFUSED),
            Map.entry(42122, WRONG_TABLE),
            Map.entry(1044, NO_RIGHT),
            Map.entry(1142, NO_RIGHT),
            Map.entry(1143, NO_RIGHT),
            Map.entry(1227, NO_RIGHT),
            Map.entry(90040, NO_RIGHT),
            Map.entry(90096, NO_RIGHT),
            Map.entry(1049, NO_DATABASE),
            Map.entry(90013, NO_DATABASE),
            Map.entry(90079, NO_DATABASE),
            Map.entry(90146, NO_DATABASE),
            Map.entry(90149, NO_DATABASE),
            Map.entry(1045, NO_ENTRY),
            Map.entry(1129, NO_ENTRY),
            Map.entry(1130, NO_ENTRY),
            Map.entry(1251, NO_ENTRY),
            Map.entry(1698, NO_ENTRY),
            Map.entry(1820, NO_ENTRY),
            Map.entry(1862, NO_ENTRY),
            Map.entry(3159, NO_ENTRY),
            Map.entry(90117, NO_ENTRY));

    /**
     * Wrong numbers or types of arguments, values, constraints, syntax, limits, and what triggers and procedures of the
     * user's raise. All of it is about the statement, and none of it goes by itself.
     */
    private static final Set<String> REFUSED_CLASSES =
            Set.of("07", "20", "21", "22", "23", "24", "2D", "2F", "38", "39", "42", "44", "45", "54", "P0");

    private final Outlook outlook;
    private final String advice;

    private enum Outlook {
        PASSES,
        STAYS
    }

    SqlFault(Outlook outlook, String advice) {
        this.outlook = outlook;
        this.advice = advice;
    }

    static SqlFault of(SQLException cause) {
        String state = SqlErrors.stateOf(cause);
        SqlFault known = BY_CODE.get(cause.getErrorCode());
        if (known == null) {
            known = BY_STATE.get(state);
        }
        return known == null ? byClass(cause, state) : known;
    }

    private static SqlFault byClass(SQLException cause, String state) {
        if (state.equals("08P01") && String.valueOf(cause.getMessage()).contains("bind message")) {
            return MIXED_UP; // with one of other parameters or columns
        }
        if (state.startsWith("08") || cause.getCause() instanceof SocketTimeoutException) {
            return CONNECTION;
        }
        if (state.startsWith("53") || state.startsWith("57P") || state.startsWith("58")) {
            return SERVER;
        }
        if (state.startsWith("40")) {
            return LOST_RACE;
        }
        if (state.length() == 5 && REFUSED_CLASSES.contains(state.substring(0, 2))) {
            return REFUSED;
        }
        if (state.equals("S1009") && String.valueOf(cause.getMessage()).contains("is read-only")) {
            return READ_ONLY; // which MySQL's driver tells by the state of everything that it is asked for in vain
        }
        return state.startsWith("28") ? NO_ENTRY : byType(cause, state);
    }

    /** The same when it kept a connection from being had, so that there is nothing that may have been carried out. */
    SqlFault beforeAnythingWasSent() {
        return switch (this) {
            case CONNECTION -> UNREACHABLE;
            case UNKNOWN, LOCKED -> POOL;
            default -> this;
        };
    }

    /** What drivers and pools tell by nothing else. */
    private static SqlFault byType(SQLException cause, String state) {
        if (cause.getCause() instanceof InterruptedException) {
            return INTERRUPTED;
        }
        if (cause instanceof SQLTransientConnectionException) {
            return state.isEmpty()
                    ? POOL
                    : UNKNOWN; // MariaDB's driver gives this type to every state that it does not know
        }
        if (cause instanceof SQLTimeoutException) {
            return LOCKED;
        }
        if (cause instanceof SQLTransactionRollbackException) {
            return LOST_RACE;
        }
        if (cause instanceof SQLRecoverableException || cause instanceof SQLNonTransientConnectionException) {
            return CONNECTION;
        }
        return cause instanceof SQLTransientException ? SERVER : UNKNOWN;
    }

    boolean passes() {
        return outlook == Outlook.PASSES;
    }

    String advice() {
        return advice;
    }

    boolean outweighs(SqlFault other) {
        return compareTo(other) > 0;
    }
}
