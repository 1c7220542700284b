package io.tenure.jdbc;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import java.sql.Connection;
import java.sql.SQLException;

/** What is required of a token. Without state. */
final class FenceCheck {
    private FenceCheck() {}

    /** Where a fence stands; 0 for what there is not. */
    record Stand(long mark, long announced) {
        /** Whether {@code token} is the mark, and no higher one announced. */
        boolean admits(long token) {
            return mark == token && announced <= token;
        }

        StaleTokenException refusal(String name, long token) {
            return new StaleTokenException(name, token, announced > token ? Math.max(mark, announced) : mark);
        }
    }

    /** Locks the mark for the transaction of {@code connection}, or refuses. */
    static void require(Connection connection, FenceSql sql, String name, long token) throws SQLException {
        long mark = sql.lockMark(connection, name, token);
        if (mark == token) {
            return;
        }
        if (mark >= 0) {
            throw new StaleTokenException(name, token, mark);
        }
        throw refused(connection, sql, name, token);
    }

    /** Why {@code token} was refused, by what there is now. */
    static RuntimeException refused(Connection connection, FenceSql sql, String name, long token) throws SQLException {
        Stand stand = sql.stand(connection, name);
        return stand.admits(token)
                ? StoreException.passing("The token " + token + " of '" + name
                        + "' was claimed only while it was required: roll back, and retry the transaction")
                : stand.refusal(name, token);
    }
}
