package io.tenure.jdbc;

import io.tenure.LeaseRecord;
import io.tenure.Tokens;
import io.tenure.jdbc.WaitingLine.Told;
import io.tenure.jdbc.WaitingLine.Word;
import io.tenure.spi.Claim;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What ends a lease on PostgreSQL, or a wait for it, and tells those who wait. A lease that nobody waits for is ended by one
 * statement. That one answers the line of any other, and a second one ends it, writes down who is told, and tells them: all
 * or nothing, and only if the row is still the one that was seen.
 */
final class PostgresEndings {
    private static final int LINE = 11;
    private static final int LINE_VERSION = 12;
    private static final int WORDS = 13;

    private final LeaseTable table;
    private final Minting minting;
    /** As it was for the last one that ended: where there were none, the simplest statement is tried first. */
    private volatile boolean waitersLikely = true;

    /** An eviction burns the token of what it ends, and nothing when that is over already. */
    private enum Mode {
        PLAIN,
        BURN,
        EVICT
    }

    private record End(Claim claim, Duration holdFor, Mode mode) {
        /** In how many milliseconds the lease is free. */
        long freeInMillis() {
            return holdFor.isZero() ? 0 : holdFor.toMillis() + 1;
        }

        /** Whether nothing but the lease itself ends, which is known by its token. */
        boolean isSimple() {
            return mode == Mode.PLAIN && holdFor.isZero() && claim.token() != 0;
        }
    }

    PostgresEndings(LeaseTable table, Minting minting) {
        this.table = table;
        this.minting = minting;
    }

    boolean release(Session session, ReleaseRequest request) throws SQLException {
        Mode mode = request.mode() == ReleaseMode.BURN ? Mode.BURN : Mode.PLAIN;
        return end(session, new End(request.claim(), request.holdFor(), mode));
    }

    boolean evict(Session session, LeaseRecord seen) throws SQLException {
        if (seen.token() == 0) {
            return false; // there is no row of such a lease, and 0 would stand for any token of the attempt
        }
        Claim claim = new Claim(seen.name(), seen.holder(), seen.incarnation(), seen.attempt(), seen.token());
        return end(session, new End(claim, Duration.ZERO, Mode.EVICT));
    }

    private boolean end(Session session, End end) throws SQLException {
        return Races.run(session, end.claim().name(), () -> endOnce(session, end));
    }

    private Optional<Boolean> endOnce(Session session, End end) throws SQLException {
        if (!end.isSimple()) {
            return endAfterLook(session, end);
        }
        if (!waitersLikely && endUnawaited(session, end)) {
            return Optional.of(true);
        }
        waitersLikely = true;
        return endOrSee(session, end);
    }

    private boolean endUnawaited(Session session, End end) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.RELEASE_UNAWAITED))) {
            setSimply(statement, end.claim());
            return statement.executeUpdate() == 1;
        }
    }

    private Optional<Boolean> endOrSee(Session session, End end) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.RELEASE_OR_SEE))) {
            setSimply(statement, end.claim());
            statement.setString(6, end.claim().name());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.of(false); // a name without a row has no lease
                }
                if (row.getBoolean("ended")) {
                    waitersLikely = false;
                    return Optional.of(true);
                }
                if (!row.getString("waiters").isEmpty()) {
                    return endAndTell(session, end, row);
                }
            }
        }
        return endAfterLook(session, end);
    }

    private static void setSimply(PreparedStatement statement, Claim claim) throws SQLException {
        statement.setString(1, claim.name());
        statement.setString(2, claim.holder());
        statement.setString(3, claim.incarnation());
        statement.setLong(4, claim.attempt());
        statement.setLong(5, claim.token());
    }

    private Optional<Boolean> endAfterLook(Session session, End end) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.RELEASE))) {
            set(statement, end);
            statement.setNull(LINE, Types.VARCHAR);
            statement.setNull(LINE_VERSION, Types.BIGINT);
            try (ResultSet row = PostgresVerbs.only(statement)) {
                Optional<Boolean> done = done(row, end);
                return done.isPresent() || row.getString("waiters").isEmpty() ? done : endAndTell(session, end, row);
            }
        }
    }

    /** @param seen the row with its line */
    private Optional<Boolean> endAndTell(Session session, End end, ResultSet seen) throws SQLException {
        long now = seen.getLong("micros");
        Told told = WaitingLine.of(seen.getString("waiters"), now).told(now, end.freeInMillis());
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.RELEASE_AND_TELL))) {
            set(statement, end);
            statement.setString(LINE, told.line().toString());
            statement.setLong(LINE_VERSION, seen.getLong("version"));
            say(session, statement, WORDS, end.claim().name(), told.words());
            try (ResultSet row = PostgresVerbs.only(statement)) {
                return done(row, end);
            }
        }
    }

    private void set(PreparedStatement statement, End end) throws SQLException {
        Claim claim = end.claim();
        statement.setString(1, claim.name());
        statement.setString(2, claim.holder());
        statement.setString(3, claim.incarnation());
        statement.setLong(4, claim.attempt());
        statement.setLong(5, claim.token());
        statement.setLong(6, end.holdFor().toMillis());
        statement.setBoolean(7, end.mode() != Mode.PLAIN);
        statement.setBoolean(8, end.mode() == Mode.BURN);
        statement.setLong(9, minting.saneMicros());
        statement.setLong(10, Tokens.LIMIT);
    }

    /** Empty when there was something to end, which was not ended: there is a line to be written, or the row changed. */
    private static Optional<Boolean> done(ResultSet row, End end) throws SQLException {
        boolean ours = row.getBoolean("ours");
        if (row.getBoolean("ended") || !ours && !row.getBoolean("ran_out")) {
            return Optional.of(ours);
        }
        Minting.requireRoom(end.claim().name(), end.mode() != Mode.PLAIN ? row.getLong("top") : 0);
        return Optional.empty();
    }

    /**
     * Takes {@code waiter} out of the line. When the lease is free, it may have been the one that was told so: the next is
     * told. The same for a word that nobody waits for any more.
     */
    boolean leave(Session session, String name, String waiter) throws SQLException {
        return Races.run(session, name, () -> leaveOnce(session, name, waiter));
    }

    private Optional<Boolean> leaveOnce(Session session, String name, String waiter) throws SQLException {
        Told told;
        long version;
        long counter;
        boolean stood;
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.FIND))) {
            statement.setString(1, name);
            try (ResultSet row = PostgresVerbs.only(statement)) {
                version = row.getLong("version");
                if (row.wasNull()) {
                    return Optional.of(false); // a name without a row has no line
                }
                counter = row.getLong("counter");
                long now = row.getLong("micros");
                WaitingLine line = WaitingLine.of(row.getString("waiters"), now);
                stood = line.place(waiter) > 0;
                WaitingLine rest = line.without(waiter);
                told = row.getBoolean("live") ? new Told(rest, List.of()) : rest.told(now, 0);
            }
        }
        if (!stood && told.words().isEmpty()) {
            return Optional.of(false);
        }
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.TELL))) {
            statement.setString(1, told.line().toString());
            statement.setString(2, name);
            statement.setLong(3, version);
            statement.setLong(4, counter);
            say(session, statement, 5, name, told.words());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(stood) : Optional.empty();
            }
        }
    }

    private static void say(Session session, PreparedStatement statement, int at, String name, List<Word> words)
            throws SQLException {
        Object[] channels = words.stream().map(Word::channel).toArray();
        Object[] said = words.stream()
                .map(word -> word.afterMillis() + " " + word.incarnation() + " " + name)
                .toArray();
        statement.setArray(at, session.connection().createArrayOf("text", channels));
        statement.setArray(at + 1, session.connection().createArrayOf("text", said));
    }
}
