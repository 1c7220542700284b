package io.tenure.jdbc;

import io.tenure.StoreException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells failures that pass by themselves from those that somebody has to mend. Thread-safe, without state. */
final class SqlErrors {
    static final String NO_CONNECTION_IN_TIME = "The pool gave a connection only when it was too late";

    private static final Pattern SECRET = Pattern.compile("(?i)(password|pwd|secret)=[^&;,\\s\"')]*");

    private SqlErrors() {}

    /** Whether a statement was overtaken by another transaction, and undone: as if it had never been sent. */
    static boolean isLostRace(SQLException cause) {
        return SqlFault.of(cause) == SqlFault.LOST_RACE;
    }

    /** Whether there was a row of that key already. */
    static boolean isDuplicate(SQLException cause) {
        return cause.getErrorCode() == 1062 || stateOf(cause).equals("23505");
    }

    /** Whether the connection may still get the answer of what failed, or has none to get it by. */
    static boolean breaksConnection(SQLException cause) {
        for (Throwable each : chain(cause)) {
            if (each instanceof SQLRecoverableException
                    || each instanceof SQLNonTransientConnectionException
                    || each instanceof SocketTimeoutException
                    || each instanceof SQLException sql && stateOf(sql).startsWith("08")) {
                return true;
            }
        }
        return false;
    }

    /**
     * What a failure means.
     *
     * @param what what was done, and to which name: {@code "acquiring 'x'"}
     * @param file where the table is written down
     */
    static StoreException translate(String what, String table, String file, Exception cause) {
        SqlFault fault = SqlFault.UNKNOWN;
        SQLException telling = null;
        for (Throwable each : chain(cause)) {
            if (each instanceof SQLException sql) {
                SqlFault told = SqlFault.of(sql);
                if (telling == null || told.outweighs(fault)) {
                    fault = told;
                    telling = sql;
                }
            }
        }
        String message = "Failed " + what + ": "
                + fault.advice().replace("{table}", table).replace("{file}", file) + " [" + told(telling, cause) + "]";
        Throwable kept = isSecret(cause) ? without(cause, telling) : cause;
        return fault.passes() ? StoreException.passing(message, kept) : StoreException.permanent(message, kept);
    }

    private static String told(@Nullable SQLException telling, Exception cause) {
        Throwable teller = telling == null ? cause : telling;
        String text = cleaned(String.valueOf(teller.getMessage())).strip();
        return telling == null
                ? cause.getClass().getSimpleName() + ": " + text
                : (stateOf(telling).isEmpty() ? "" : stateOf(telling) + ": ") + text;
    }

    private static boolean isSecret(Throwable cause) {
        return chain(cause).stream()
                .anyMatch(each ->
                        SECRET.matcher(String.valueOf(each.getMessage())).find());
    }

    /** Some drivers put the URL that they were given into what they throw. */
    private static SQLException without(Throwable cause, @Nullable SQLException telling) {
        SQLException clean = new SQLException(
                cleaned(String.valueOf(cause.getMessage())),
                telling == null ? null : telling.getSQLState(),
                telling == null ? 0 : telling.getErrorCode());
        clean.setStackTrace(cause.getStackTrace());
        return clean;
    }

    private static String cleaned(String text) {
        return SECRET.matcher(text).replaceAll("$1=***");
    }

    static String stateOf(SQLException cause) {
        String state = cause.getSQLState();
        return state == null ? "" : state;
    }

    /** A failure, what caused it, and what drivers and pools have hung behind either. */
    private static List<Throwable> chain(Throwable failure) {
        Set<Throwable> known = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> chain = new ArrayList<>();
        collect(failure, known, chain);
        return chain;
    }

    private static void collect(@Nullable Throwable failure, Set<Throwable> known, List<Throwable> chain) {
        if (failure == null || !known.add(failure)) {
            return;
        }
        chain.add(failure);
        collect(failure.getCause(), known, chain);
        if (failure instanceof SQLException sql) {
            collect(sql.getNextException(), known, chain);
        }
    }
}
