package io.tenure.jdbc;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What has to be known of a failure before it is told to anybody; see {@link SqlFault}. Without state. */
final class SqlErrors {
    private static final Set<String> GIVEN_UP_STATES = Set.of("57014", "70100");
    private static final Set<Integer> GIVEN_UP_CODES = Set.of(1317, 1969, 3024);

    private SqlErrors() {}

    /** Whether a statement was overtaken by another transaction, and undone: as if it had never been sent. */
    static boolean isLostRace(SQLException cause) {
        return SqlFault.of(cause) == SqlFault.LOST_RACE;
    }

    /** Whether something was locked for as long as the statement was to wait. */
    static boolean isBusy(SQLException cause) {
        return SqlFault.of(cause) == SqlFault.LOCKED;
    }

    /** Whether a statement was given up on request, or by its own time-out, rather than for a lock. */
    static boolean isGivenUp(SQLException cause) {
        String state = stateOf(cause);
        return GIVEN_UP_STATES.contains(state)
                || GIVEN_UP_CODES.contains(cause.getErrorCode())
                || cause instanceof SQLTimeoutException && !state.equals("HYT00");
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

    static String stateOf(SQLException cause) {
        String state = cause.getSQLState();
        return state == null ? "" : state;
    }

    /** A failure, what caused it, and what drivers and pools have hung behind either. */
    static List<Throwable> chain(Throwable failure) {
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
