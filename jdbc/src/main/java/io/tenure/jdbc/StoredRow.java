package io.tenure.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;
import io.tenure.spi.Takeover;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A row as it was read, and what it means.
 *
 * @param micros when it was read, by the database's clock, in microseconds of the epoch
 * @param version 0 when there is no row
 * @param remaining microseconds until it expires; 0 or less when it is over
 * @param forgetIn microseconds until its tokens may be forgotten; empty for never
 */
record StoredRow(
        String name,
        long micros,
        long version,
        String holder,
        String incarnation,
        long attempt,
        long token,
        long counter,
        long remaining,
        OptionalLong forgetIn,
        String waiters) {

    static StoredRow of(String name, ResultSet row) throws SQLException {
        long version = row.getLong("version");
        if (version == 0) {
            return new StoredRow(name, row.getLong("micros"), 0, "", "", 0, 0, 0, 0, OptionalLong.empty(), "");
        }
        long forgetIn = row.getLong("forget_in");
        OptionalLong forget = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(forgetIn);
        return new StoredRow(
                name,
                row.getLong("micros"),
                version,
                text(row, "holder"),
                text(row, "incarnation"),
                row.getLong("attempt"),
                row.getLong("token"),
                row.getLong("counter"),
                row.getLong("remaining"),
                forget,
                row.getString("waiters"));
    }

    /** Only what tells it from its later versions. */
    static StoredRow bare(ResultSet row) throws SQLException {
        return new StoredRow(
                text(row, "name"),
                0,
                row.getLong("version"),
                "",
                "",
                0,
                0,
                row.getLong("counter"),
                0,
                OptionalLong.empty(),
                "");
    }

    static String text(ResultSet row, String column) throws SQLException {
        return new String(row.getBytes(column), UTF_8);
    }

    boolean isMissing() {
        return version == 0;
    }

    boolean isLive() {
        return remaining > 0;
    }

    /** Whether the very attempt that {@code claim} stands for has this lease. */
    boolean isHeldBy(Claim claim) {
        return isLive()
                && holder.equals(claim.holder())
                && incarnation.equals(claim.incarnation())
                && attempt == claim.attempt();
    }

    boolean isHeldWhollyBy(Claim claim) {
        return isHeldBy(claim) && token == claim.token();
    }

    /** Whether {@code claim} may have it: it is over, or a leftover that was asked to be replaced. */
    boolean isFreeFor(Claim claim, Takeover takeover) {
        if (!isLive()) {
            return true;
        }
        if (incarnation.isEmpty() || !holder.equals(claim.holder())) {
            return false;
        }
        return incarnation.equals(claim.incarnation())
                ? takeover != Takeover.NONE && attempt < claim.attempt()
                : takeover == Takeover.ANY_INCARNATION;
    }

    private boolean isForgotten() {
        return !isLive() && forgetIn.isPresent() && forgetIn.getAsLong() <= 0;
    }

    /** Where the counter stands; 0 when it is missing or not kept any longer. */
    long stood() {
        return isForgotten() ? 0 : counter;
    }

    /** The highest token that the row knows of. */
    long highest() {
        return isForgotten() ? 0 : Math.max(counter, token);
    }

    /**
     * In how many microseconds its tokens may be forgotten after a use that keeps them for {@code keepMillis}, 0 for ever.
     * Those of elections are kept for ever, and no use shortens what another one wanted.
     */
    OptionalLong forgetAfter(long keepMillis) {
        boolean forEver = keepMillis == 0 || !isMissing() && !isForgotten() && forgetIn.isEmpty();
        return forEver ? OptionalLong.empty() : OptionalLong.of(Math.max(keepMillis * 1_000, forgetIn.orElse(0)));
    }

    Optional<LeaseRecord> live() {
        return isLive() ? Optional.of(record()) : Optional.empty();
    }

    LeaseRecord record() {
        return LeaseRecord.of(name, holder, incarnation, attempt, token, Duration.of(remaining, ChronoUnit.MICROS));
    }
}
