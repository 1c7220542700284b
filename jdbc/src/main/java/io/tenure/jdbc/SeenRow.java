package io.tenure.jdbc;

import io.tenure.LeaseRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** A row as a statement saw it. */
final class SeenRow {
    private SeenRow() {}

    static LeaseRecord record(ResultSet row) throws SQLException {
        return LeaseRecord.of(
                row.getString("name"),
                row.getString("its_holder"),
                row.getString("its_incarnation"),
                row.getLong("its_attempt"),
                row.getLong("its_token"),
                Duration.of(Math.max(0, row.getLong("remaining")), ChronoUnit.MICROS));
    }

    static Optional<LeaseRecord> live(ResultSet row) throws SQLException {
        return row.getBoolean("live") ? Optional.of(record(row)) : Optional.empty();
    }
}
