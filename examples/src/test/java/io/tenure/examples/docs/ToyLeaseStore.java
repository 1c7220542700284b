package io.tenure.examples.docs;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.Tokens;
import io.tenure.spi.Acquisition;
import io.tenure.spi.BlockingLeaseStore;
import io.tenure.spi.Claim;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseMode;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A store over a client that blocks, as small as the contract lets it be: it has no push and forgets nothing. */
final class ToyLeaseStore extends BlockingLeaseStore {
    private final ToyDatabase database;

    // tag::opening
    ToyLeaseStore(ToyDatabase database) {
        super(ToyLeaseStore::daemon, 4, 100); // four calls at once, a hundred wait; more fail at once
        this.database = database;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "toy-leases");
        thread.setDaemon(true);
        return thread;
    }
    // end::opening

    // tag::acquire
    @Override
    protected Acquisition acquireNow(LeaseRequest request) {
        Claim asking = request.claim();
        return database.inTransaction(asking.name(), row -> {
            long now = database.now(); // the server's clock, never this process's
            Claim held = holderOf(row, now);
            if (held != null && isSameAttempt(held, asking)) {
                row.until = now + request.ttl().toMillis(); // the answer was lost: the same token again
                return new Acquisition.Granted(held.token(), OptionalLong.empty());
            }
            if (held != null && !mayReplace(held, request)) {
                return new Acquisition.Denied(record(row, held, now), placeInLine(row, request, now));
            }
            long stood = row.tokens;
            long token = above(row.name, Math.max(Math.max(stood, request.floor()), now * 1_000));
            row.claim = asking.withToken(token); // token and lease in one transaction
            row.until = now + request.ttl().toMillis();
            row.tokens = token;
            row.line.remove(asking.incarnation());
            return new Acquisition.Granted(
                    token, request.floor() > stood ? OptionalLong.of(stood) : OptionalLong.empty());
        });
    }
    // end::acquire

    // tag::renew
    @Override
    protected Renewal renewNow(RenewRequest request) {
        Claim claim = request.claim();
        return database.inTransaction(claim.name(), row -> {
            long now = database.now();
            Claim held = holderOf(row, now);
            if (held == null || !held.equals(claim) || row.tokens > claim.token()) { // the whole claim
                return new Renewal.Lost(seen(row, now));
            }
            row.until = now + request.ttl().toMillis();
            return new Renewal.Renewed(OptionalLong.empty());
        });
    }
    // end::renew

    // tag::release
    @Override
    protected boolean releaseNow(ReleaseRequest request) {
        Claim claim = request.claim();
        return database.inTransaction(claim.name(), row -> {
            long now = database.now();
            Claim held = holderOf(row, now);
            // a token of 0: the attempt was never answered, so its token is not known
            boolean ours = held != null && (claim.token() == 0 ? isSameAttempt(held, claim) : held.equals(claim));
            boolean ranOut = held == null && claim.token() != 0 && claim.token() == row.tokens;
            if (request.mode() == ReleaseMode.BURN && (ours || ranOut)) {
                row.tokens = above(row.name, row.tokens);
            }
            if (ours) {
                row.until = now + request.holdFor().toMillis();
            }
            return ours;
        });
    }
    // end::release

    @Override
    protected boolean evictNow(LeaseRecord seen) {
        return database.inTransaction(seen.name(), row -> {
            Claim held = holderOf(row, database.now());
            boolean same = held != null
                    && held.holder().equals(seen.holder())
                    && held.incarnation().equals(seen.incarnation())
                    && held.attempt() == seen.attempt()
                    && held.token() == seen.token();
            if (same) {
                row.tokens = above(row.name, row.tokens);
                row.until = 0;
            }
            return same;
        });
    }

    @Override
    protected Optional<LeaseRecord> findNow(String name) {
        return database.inTransaction(name, row -> seen(row, database.now()));
    }

    @Override
    protected List<LeaseRecord> listNow(String prefix, int limit) {
        return database.inTransaction(rows -> {
            long now = database.now();
            return rows.stream()
                    .filter(row -> row.name.startsWith(prefix))
                    .flatMap(row -> seen(row, now).stream())
                    .limit(limit)
                    .toList();
        });
    }

    // tag::translate
    @Override
    protected StoreException translate(String name, Exception cause) {
        return StoreException.passing("The database failed on '" + name + "': " + cause, cause);
    }
    // end::translate

    private static @Nullable Claim holderOf(ToyDatabase.Row row, long now) {
        return now < row.until ? row.claim : null;
    }

    private static boolean isSameAttempt(Claim held, Claim asking) {
        return held.withToken(0).equals(asking.withToken(0));
    }

    private static boolean mayReplace(Claim held, LeaseRequest request) {
        Claim asking = request.claim();
        if (request.takeover() == Takeover.NONE || !held.holder().equals(asking.holder())) {
            return false;
        }
        return held.incarnation().equals(asking.incarnation())
                ? held.attempt() < asking.attempt()
                : request.takeover() == Takeover.ANY_INCARNATION;
    }

    private static int placeInLine(ToyDatabase.Row row, LeaseRequest request, long now) {
        String waiter = request.claim().incarnation();
        row.line.values().removeIf(due -> due < now);
        if (!request.lineFor().isZero()) {
            row.line.put(waiter, now + 2 * request.lineFor().toMillis());
        }
        return new ArrayList<>(row.line.keySet()).indexOf(waiter) + 1;
    }

    private static long above(String name, long top) {
        if (top >= Tokens.LIMIT - 1) {
            throw StoreException.permanent("The tokens of '" + name + "' are used up; nothing was written");
        }
        return top + 1;
    }

    private static Optional<LeaseRecord> seen(ToyDatabase.Row row, long now) {
        return Optional.ofNullable(holderOf(row, now)).map(held -> record(row, held, now));
    }

    private static LeaseRecord record(ToyDatabase.Row row, Claim held, long now) {
        return LeaseRecord.of(
                row.name,
                held.holder(),
                held.incarnation(),
                held.attempt(),
                held.token(),
                Duration.ofMillis(row.until - now));
    }
}
