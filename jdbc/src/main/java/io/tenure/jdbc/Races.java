package io.tenure.jdbc;

import io.tenure.StoreException;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Repeats a step whose decision was overtaken: between the moment that it looked at a row and the moment that it wrote,
 * somebody else changed the row, so nothing was written. That is no retry of something that may have been done.
 */
final class Races {
    /** Each lost race was won by somebody; more in a row than this takes more contenders than a name should have. */
    private static final int MOST = 50;

    private Races() {}

    /** One look and the write that it led to; empty when that came too late. */
    @FunctionalInterface
    interface Step<T> {
        Optional<T> take() throws SQLException;
    }

    static <T> T run(Session session, String name, Step<T> step) throws SQLException {
        for (int i = 0; i < MOST && session.hasTime(); i++) {
            Optional<T> done = once(step);
            if (done.isPresent()) {
                return done.get();
            }
        }
        throw StoreException.passing(
                "Others changed the row of '" + name
                        + "' again and again before this call could: nothing was written. Fewer should contend for it, or less often");
    }

    private static <T> Optional<T> once(Step<T> step) throws SQLException {
        try {
            return step.take();
        } catch (SQLException e) {
            if (SqlErrors.isLostRace(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
