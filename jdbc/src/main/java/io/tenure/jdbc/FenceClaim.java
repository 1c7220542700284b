package io.tenure.jdbc;

import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import java.sql.SQLException;
import java.time.Duration;

/** One claim: looks, announces, and raises the mark once the transactions of predecessors are over. For one use. */
final class FenceClaim {
    private final FenceSql sql;
    private final OwnConnection own;
    private final String name;
    private final long token;
    private final Duration timeout;
    private final long deadline;

    FenceClaim(FenceSql sql, OwnConnection own, String name, long token, Duration timeout, long deadline) {
        this.sql = sql;
        this.own = own;
        this.name = name;
        this.token = token;
        this.timeout = timeout;
        this.deadline = deadline;
    }

    void make() throws SQLException {
        limitNetwork();
        FenceCheck.Stand stand = own.committing(connection -> sql.stand(connection, name));
        if (stand.admits(token)) {
            return; // raising it again would wait for the own transactions of this token
        }
        if (stand.mark() > token) {
            throw stand.refusal(name, token);
        }
        raise(FenceSql.ANNOUNCED);
        raise(FenceSql.MARK);
    }

    private void raise(String part) throws SQLException {
        long now = risen(part);
        if (now > token) {
            throw new StaleTokenException(name, token, now);
        }
    }

    /** In slices, since nothing else notices an interrupt. */
    private long risen(String part) throws SQLException {
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                throw StoreException.passing("Claiming '" + name + "' with token " + token
                        + " was interrupted. It may be announced, which refuses older tokens already");
            }
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            try {
                limitNetwork();
                return sql.raise(own, part, name, token, shorter(left, sql.patience()));
            } catch (SQLException e) {
                if (!SqlErrors.isBusy(e) && !SqlErrors.isLostRace(e)) {
                    throw e;
                }
                if (deadline - System.nanoTime() <= 0) {
                    throw overdue(e);
                }
            }
        }
    }

    /** For a server that says nothing any more: what waits for locks there is told in time that it waits in vain. */
    private void limitNetwork() throws SQLException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        own.limitNetwork((int) Math.max(left, OwnConnection.LAST_WORD.toMillis()));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private StoreException overdue(SQLException last) {
        String who = "";
        try {
            who = sql.blockers(own, name);
        } catch (SQLException e) {
            last.addSuppressed(e); // only a courtesy
        }
        return StoreException.passing(
                "Claiming '" + name + "' with token " + token + " did not get through within " + timeout.toMillis()
                        + " ms: a transaction that required an older token is still open"
                        + (who.isEmpty() ? "" : ", of " + who)
                        + ". Older tokens are refused already, so once it ends the next claim gets through. Find it "
                        + sql.howToFindBlockers() + " [" + last.getMessage() + "]",
                last);
    }
}
