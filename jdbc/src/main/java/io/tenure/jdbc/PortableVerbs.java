package io.tenure.jdbc;

import io.tenure.LeaseRecord;
import io.tenure.spi.Acquisition;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The verbs on MariaDB, MySQL and H2; see {@link PortableSql}. */
final class PortableVerbs implements Verbs {

    private final PortableSql sql;
    private final Minting minting;

    PortableVerbs(LeaseTable table, Minting minting) {
        this.sql = PortableSql.of(table);
        this.minting = minting;
    }

    @Override
    public Acquisition acquire(Session session, LeaseRequest request) throws SQLException {
        return Races.run(session, request.claim().name(), () -> acquireOnce(session, request));
    }

    private Optional<Acquisition> acquireOnce(Session session, LeaseRequest request) throws SQLException {
        Claim claim = request.claim();
        StoredRow row = read(session, claim.name());
        if (row.isHeldBy(claim)) {
            return grant(session, request, row, row.token(), row.counter())
                    ? Optional.of(new Acquisition.Granted(row.token(), OptionalLong.empty()))
                    : Optional.empty();
        }
        if (!row.isFreeFor(claim, request.takeover())) {
            return denied(session, request, row);
        }
        long token = minting.above(claim.name(), Math.max(row.highest(), request.floor()), row.micros());
        boolean granted =
                row.isMissing() ? insert(session, request, row, token) : grant(session, request, row, token, token);
        if (!granted) {
            return Optional.empty();
        }
        minting.check(row.micros());
        boolean regressed = request.floor() > row.stood();
        return Optional.of(
                new Acquisition.Granted(token, regressed ? OptionalLong.of(row.stood()) : OptionalLong.empty()));
    }

    private boolean insert(Session session, LeaseRequest request, StoredRow row, long token) throws SQLException {
        Claim claim = request.claim();
        try (PreparedStatement statement = session.prepare(sql.insert)) {
            new Binding(statement)
                    .bytes(claim.name())
                    .text(request.kind().name())
                    .bytes(claim.holder())
                    .bytes(claim.incarnation())
                    .number(claim.attempt())
                    .number(token)
                    .number(token)
                    .number(micros(request.ttl()))
                    .number(row.forgetAfter(minting.keepMillis(request.kind(), request.ttl())));
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (SqlErrors.isDuplicate(e)) {
                return false; // somebody else made the row meanwhile
            }
            throw e;
        }
    }

    private boolean grant(Session session, LeaseRequest request, StoredRow row, long token, long counter)
            throws SQLException {
        Claim claim = request.claim();
        try (PreparedStatement statement = session.prepare(sql.grant)) {
            Binding binding = new Binding(statement)
                    .text(request.kind().name())
                    .bytes(claim.holder())
                    .bytes(claim.incarnation())
                    .number(claim.attempt())
                    .number(token)
                    .number(counter)
                    .number(micros(request.ttl()))
                    .number(row.forgetAfter(minting.keepMillis(request.kind(), request.ttl())))
                    .text(WaitingLine.of(row.waiters(), row.micros())
                            .without(claim.incarnation())
                            .toString());
            return isStill(binding, row, statement);
        }
    }

    private Optional<Acquisition> denied(Session session, LeaseRequest request, StoredRow row) throws SQLException {
        String waiter = request.claim().incarnation();
        WaitingLine line = WaitingLine.of(row.waiters(), row.micros());
        Optional<WaitingLine> entered =
                request.lineFor().isZero() ? Optional.empty() : line.entered(waiter, row.micros(), request.lineFor());
        if (entered.isPresent() && !enter(session, row, entered.get())) {
            return Optional.empty();
        }
        return Optional.of(
                new Acquisition.Denied(row.record(), entered.orElse(line).place(waiter)));
    }

    private boolean enter(Session session, StoredRow row, WaitingLine line) throws SQLException {
        try (PreparedStatement statement = session.prepare(sql.enterLine)) {
            return isStill(new Binding(statement).text(line.toString()), row, statement);
        }
    }

    private static boolean isStill(Binding binding, StoredRow row, PreparedStatement statement) throws SQLException {
        binding.bytes(row.name()).number(row.version()).number(row.counter());
        return statement.executeUpdate() == 1;
    }

    @Override
    public Renewal renew(Session session, RenewRequest request) throws SQLException {
        return Races.run(session, request.claim().name(), () -> renewOnce(session, request));
    }

    private Optional<Renewal> renewOnce(Session session, RenewRequest request) throws SQLException {
        Claim claim = request.claim();
        try (PreparedStatement statement = session.prepare(sql.renew)) {
            wholly(lasting(new Binding(statement), request), claim).number(claim.token());
            if (statement.executeUpdate() == 1) {
                return Optional.of(new Renewal.Renewed(OptionalLong.empty()));
            }
        }
        StoredRow row = read(session, claim.name());
        if (!row.isHeldWhollyBy(claim) || row.counter() > claim.token()) {
            return Optional.of(new Renewal.Lost(row.live()));
        }
        if (row.counter() == claim.token()) {
            return Optional.empty();
        }
        try (PreparedStatement statement = session.prepare(sql.restore)) {
            return isStill(lasting(new Binding(statement), request), row, statement)
                    ? Optional.of(new Renewal.Renewed(OptionalLong.of(row.counter())))
                    : Optional.empty();
        }
    }

    private Binding lasting(Binding binding, RenewRequest request) throws SQLException {
        long keep = minting.keepMillis(request.kind(), request.ttl());
        return binding.text(request.kind().name())
                .number(micros(request.ttl()))
                .number(keep)
                .number(keep * 1_000)
                .number(keep * 1_125);
    }

    private static Binding wholly(Binding binding, Claim claim) throws SQLException {
        return binding.bytes(claim.name())
                .bytes(claim.holder())
                .bytes(claim.incarnation())
                .number(claim.attempt());
    }

    /** One by one, as long as nothing goes wrong: what comes after a row that cannot be had need not wait for it again. */
    @Override
    public List<Optional<Renewal>> renewAll(Session session, List<RenewRequest> requests) throws SQLException {
        List<Optional<Renewal>> fates = new ArrayList<>(requests.size());
        boolean well = true;
        for (RenewRequest request : requests) {
            Optional<Renewal> fate = Optional.empty();
            if (well && session.hasTime()) {
                try {
                    fate = renewOnce(session, request);
                } catch (SQLException e) {
                    session.failed(e);
                    well = false;
                }
            }
            fates.add(fate);
        }
        return fates;
    }

    @Override
    public boolean release(Session session, ReleaseRequest request) throws SQLException {
        Claim claim = request.claim();
        OptionalLong hold =
                request.holdFor().isZero() ? OptionalLong.empty() : OptionalLong.of(micros(request.holdFor()));
        if (request.mode() == ReleaseMode.BURN) {
            return Races.run(session, claim.name(), () -> burnOnce(session, request, hold));
        }
        try (PreparedStatement statement = session.prepare(sql.release)) {
            wholly(new Binding(statement).number(hold), claim)
                    .number(claim.token())
                    .number(claim.token());
            return statement.executeUpdate() == 1;
        }
    }

    private Optional<Boolean> burnOnce(Session session, ReleaseRequest request, OptionalLong hold) throws SQLException {
        Claim claim = request.claim();
        StoredRow row = read(session, claim.name());
        boolean ours = claim.token() == 0 ? row.isHeldBy(claim) : row.isHeldWhollyBy(claim);
        // A lease that ran out leaves its token current until the next grant, and abandoned work may write.
        boolean ranOut = !row.isLive() && claim.token() != 0 && claim.token() == row.highest();
        if (!ours && !ranOut) {
            return Optional.of(false);
        }
        return burn(session, row, ours, hold) ? Optional.of(ours) : Optional.empty();
    }

    private boolean burn(Session session, StoredRow row, boolean ours, OptionalLong hold) throws SQLException {
        try (PreparedStatement statement = session.prepare(sql.burn)) {
            Binding binding = new Binding(statement)
                    .flag(ours)
                    .number(hold)
                    .number(minting.above(row.name(), row.highest(), row.micros()));
            return isStill(binding, row, statement);
        }
    }

    @Override
    public boolean evict(Session session, LeaseRecord seen) throws SQLException {
        Claim claim = new Claim(seen.name(), seen.holder(), seen.incarnation(), seen.attempt(), seen.token());
        return Races.run(session, seen.name(), () -> {
            StoredRow row = read(session, seen.name());
            if (!row.isHeldWhollyBy(claim)) {
                return Optional.of(false);
            }
            return burn(session, row, true, OptionalLong.empty()) ? Optional.of(true) : Optional.empty();
        });
    }

    @Override
    public Optional<LeaseRecord> find(Session session, String name) throws SQLException {
        return read(session, name).live();
    }

    private StoredRow read(Session session, String name) throws SQLException {
        try (PreparedStatement statement = session.prepare(sql.read)) {
            new Binding(statement).bytes(name);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return StoredRow.of(name, rows);
            }
        }
    }

    @Override
    public List<LeaseRecord> list(Session session, String prefix, int limit) throws SQLException {
        Optional<String> after = Prefix.after(prefix);
        try (PreparedStatement statement = session.prepare(sql.list)) {
            new Binding(statement)
                    .bytes(prefix)
                    .flag(after.isEmpty())
                    .bytes(after.orElse(""))
                    .number(Math.max(0, limit));
            List<LeaseRecord> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(LeaseRecord.of(
                            StoredRow.text(rows, "name"),
                            StoredRow.text(rows, "holder"),
                            StoredRow.text(rows, "incarnation"),
                            rows.getLong("attempt"),
                            rows.getLong("token"),
                            Duration.of(rows.getLong("remaining"), ChronoUnit.MICROS)));
                }
            }
            return found;
        }
    }

    @Override
    public int forgetSome(Session session) throws SQLException {
        List<StoredRow> overdue = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(sql.overdue)) {
            new Binding(statement).number(Sweeper.MOST_ROWS);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    overdue.add(StoredRow.bare(rows));
                }
            }
        }
        for (StoredRow row : overdue) {
            try (PreparedStatement statement = session.prepare(sql.forget)) {
                isStill(new Binding(statement), row, statement);
            }
        }
        return overdue.size();
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
