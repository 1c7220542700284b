package io.tenure.jdbc;

import static io.tenure.jdbc.SeenRow.live;
import static io.tenure.jdbc.SeenRow.record;

import io.tenure.LeaseRecord;
import io.tenure.Tokens;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** The verbs on PostgreSQL; see {@link PostgresSql}. */
final class PostgresVerbs implements Verbs {
    private final LeaseTable table;
    private final Minting minting;
    private final Supplier<Optional<String>> channel;
    private final PostgresEndings endings;

    /** @param channel where those who wait through this store hear what is said; empty when they do not */
    PostgresVerbs(LeaseTable table, Minting minting, Supplier<Optional<String>> channel) {
        this.table = table;
        this.minting = minting;
        this.channel = channel;
        this.endings = new PostgresEndings(table, minting);
    }

    @Override
    public Acquisition acquire(Session session, LeaseRequest request) throws SQLException {
        return Races.run(session, request.claim().name(), () -> {
            Optional<Acquisition> quick = isLikelyFree(request) ? acquireFree(session, request) : Optional.empty();
            return quick.isPresent() ? quick : acquireOnce(session, request);
        });
    }

    /**
     * Who would enter a line asks again and again about a name that is taken, and who would take over expects its own lease
     * there: for them the quick statement would mostly be a round trip more.
     */
    private static boolean isLikelyFree(LeaseRequest request) {
        return request.lineFor().isZero() && request.takeover() == Takeover.NONE;
    }

    /** What both statements ask first. */
    private static void ask(PreparedStatement statement, LeaseRequest request) throws SQLException {
        Claim claim = request.claim();
        statement.setString(1, claim.name());
        statement.setString(2, request.kind().name());
        statement.setString(3, claim.holder());
        statement.setString(4, claim.incarnation());
        statement.setLong(5, claim.attempt());
        statement.setLong(6, request.ttl().toMillis());
        statement.setLong(7, request.floor());
    }

    private Optional<Acquisition> acquireFree(Session session, LeaseRequest request) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.ACQUIRE_FREE))) {
            ask(statement, request);
            statement.setLong(8, minting.keepMillis(request.kind(), request.ttl()));
            statement.setLong(9, minting.saneMicros());
            statement.setLong(10, Tokens.LIMIT);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                minting.check(row.getLong("micros"));
                return Optional.of(new Acquisition.Granted(row.getLong("token"), OptionalLong.empty()));
            }
        }
    }

    private Optional<Acquisition> acquireOnce(Session session, LeaseRequest request) throws SQLException {
        Claim claim = request.claim();
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.ACQUIRE))) {
            ask(statement, request);
            statement.setInt(8, allowed(request.takeover()));
            statement.setLong(9, minting.keepMillis(request.kind(), request.ttl()));
            statement.setLong(10, minting.saneMicros());
            statement.setLong(11, Tokens.LIMIT);
            statement.setString(12, WaitingLine.entryPattern(claim.incarnation()));
            try (ResultSet row = only(statement)) {
                long token = row.getLong("granted_token");
                if (!row.wasNull()) {
                    return Optional.of(granted(row, token, request.floor()));
                }
                if (!row.getBoolean("free") && !row.getBoolean("same")) {
                    return denied(session, request, row);
                }
                Minting.requireRoom(claim.name(), row.getBoolean("same") ? 0 : row.getLong("top"));
                return Optional.empty();
            }
        }
    }

    /** As the statement counts what may be replaced. */
    private static int allowed(Takeover takeover) {
        return switch (takeover) {
            case NONE -> 0;
            case SAME_INCARNATION -> 1;
            case ANY_INCARNATION -> 2;
        };
    }

    private Acquisition granted(ResultSet row, long token, long floor) throws SQLException {
        long stood = row.getLong("stood");
        boolean again = row.getBoolean("same");
        if (!again) {
            minting.check(row.getLong("micros"));
        }
        return new Acquisition.Granted(token, !again && floor > stood ? OptionalLong.of(stood) : OptionalLong.empty());
    }

    private Optional<Acquisition> denied(Session session, LeaseRequest request, ResultSet row) throws SQLException {
        String waiter = request.claim().incarnation();
        long now = row.getLong("micros");
        WaitingLine line = WaitingLine.of(row.getString("waiters"), now);
        Optional<WaitingLine> entered = request.lineFor().isZero()
                ? Optional.empty()
                : line.entered(waiter, channel.get().orElse(""), now, request.lineFor());
        if (entered.isPresent() && !enter(session, request.claim().name(), entered.get(), row)) {
            return Optional.empty();
        }
        return Optional.of(
                new Acquisition.Denied(record(row), entered.orElse(line).place(waiter)));
    }

    private boolean enter(Session session, String name, WaitingLine line, ResultSet row) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.ENTER_LINE))) {
            statement.setString(1, line.toString());
            statement.setString(2, name);
            statement.setLong(3, row.getLong("version"));
            statement.setLong(4, row.getLong("counter"));
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public Renewal renew(Session session, RenewRequest request) throws SQLException {
        return Races.run(session, request.claim().name(), () -> renewOnce(session, request));
    }

    private Optional<Renewal> renewOnce(Session session, RenewRequest request) throws SQLException {
        Claim claim = request.claim();
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.RENEW))) {
            statement.setString(1, claim.name());
            statement.setString(2, request.kind().name());
            statement.setString(3, claim.holder());
            statement.setString(4, claim.incarnation());
            statement.setLong(5, claim.attempt());
            statement.setLong(6, claim.token());
            statement.setLong(7, request.ttl().toMillis());
            statement.setLong(8, minting.keepMillis(request.kind(), request.ttl()));
            try (ResultSet row = only(statement)) {
                return fate(row);
            }
        }
    }

    /** Empty when the claim held as far as was seen, but was not renewed: somebody was faster, or has the row locked. */
    private static Optional<Renewal> fate(ResultSet row) throws SQLException {
        if (row.getBoolean("renewed")) {
            long stood = row.getLong("counter");
            return Optional.of(
                    new Renewal.Renewed(stood < row.getLong("token") ? OptionalLong.of(stood) : OptionalLong.empty()));
        }
        return row.getBoolean("renewable") ? Optional.empty() : Optional.of(new Renewal.Lost(live(row)));
    }

    @Override
    public List<Optional<Renewal>> renewAll(Session session, List<RenewRequest> requests) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.RENEW_ALL))) {
            statement.setArray(
                    1, texts(session, requests, request -> request.claim().name()));
            statement.setArray(
                    2, texts(session, requests, request -> request.kind().name()));
            statement.setArray(
                    3, texts(session, requests, request -> request.claim().holder()));
            statement.setArray(
                    4, texts(session, requests, request -> request.claim().incarnation()));
            statement.setArray(
                    5, numbers(session, requests, request -> request.claim().attempt()));
            statement.setArray(
                    6, numbers(session, requests, request -> request.claim().token()));
            statement.setArray(
                    7, numbers(session, requests, request -> request.ttl().toMillis()));
            statement.setArray(8, numbers(session, requests, this::keepMillis));
            List<Optional<Renewal>> fates = new ArrayList<>(requests.size());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    fates.add(fate(rows));
                }
            }
            return fates;
        } catch (SQLException e) {
            if (SqlErrors.isLostRace(e)) {
                return Collections.nCopies(requests.size(), Optional.empty()); // one was overtaken, and all were undone
            }
            throw e;
        }
    }

    private long keepMillis(RenewRequest request) {
        return minting.keepMillis(request.kind(), request.ttl());
    }

    private static Array texts(Session session, List<RenewRequest> requests, Function<RenewRequest, String> part)
            throws SQLException {
        return session.connection()
                .createArrayOf("text", requests.stream().map(part).toArray());
    }

    private static Array numbers(Session session, List<RenewRequest> requests, Function<RenewRequest, Long> part)
            throws SQLException {
        return session.connection()
                .createArrayOf("bigint", requests.stream().map(part).toArray());
    }

    @Override
    public boolean release(Session session, ReleaseRequest request) throws SQLException {
        return endings.release(session, request);
    }

    @Override
    public boolean evict(Session session, LeaseRecord seen) throws SQLException {
        return endings.evict(session, seen);
    }

    @Override
    public boolean leave(Session session, String name, String waiter) throws SQLException {
        return endings.leave(session, name, waiter);
    }

    @Override
    public Optional<LeaseRecord> find(Session session, String name) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.FIND))) {
            statement.setString(1, name);
            try (ResultSet row = only(statement)) {
                return live(row);
            }
        }
    }

    @Override
    public List<LeaseRecord> list(Session session, String prefix, int limit) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.LIST))) {
            statement.setString(1, prefix);
            statement.setString(2, Prefix.after(prefix).orElse(null));
            statement.setInt(3, Math.max(0, limit));
            List<LeaseRecord> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(record(rows));
                }
            }
            return found;
        }
    }

    @Override
    public int forgetSome(Session session) throws SQLException {
        try (PreparedStatement statement = session.prepare(table.in(PostgresSql.FORGET))) {
            statement.setInt(1, Sweeper.MOST_ROWS);
            return statement.executeUpdate();
        }
    }

    /** The one row of a statement that always answers one. */
    static ResultSet only(PreparedStatement statement) throws SQLException {
        ResultSet rows = statement.executeQuery();
        if (!rows.next()) {
            throw new SQLException("A statement that always answers a row answered none");
        }
        return rows;
    }
}
