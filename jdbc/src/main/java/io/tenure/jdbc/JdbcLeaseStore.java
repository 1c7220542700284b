package io.tenure.jdbc;

import io.tenure.LeaseRecord;
import io.tenure.StoreException;
import io.tenure.TenureEvent;
import io.tenure.jdbc.postgres.PostgresWakeups;
import io.tenure.spi.Acquisition;
import io.tenure.spi.BlockingLeaseStore;
import io.tenure.spi.LeaseKind;
import io.tenure.spi.LeaseRequest;
import io.tenure.spi.ReleaseRequest;
import io.tenure.spi.RenewRequest;
import io.tenure.spi.Renewal;
import io.tenure.spi.StoreListener;
import io.tenure.spi.Wakeups;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Leases in a table of a database: PostgreSQL, MariaDB, MySQL or H2. Every call takes a connection of its own from the data
 * source, and commits by itself; it never takes part in a transaction of the caller's, needs nothing that a session
 * remembers, and gives the connection back as it came. Time is the database's. Thread-safe.
 *
 * <p>A call takes {@link JdbcStoreOptions#callTimeout} at most once it has a connection; one that hangs is cut then, and
 * its connection closed. How long it waits for a connection is up to the data source, so its time-out for that should be as
 * short. A call that got its connection too late is not sent any more.
 *
 * <p>A refusal for good (a permanent {@link StoreException}: a table or a right that is missing, a read-only server) has
 * written nothing.
 */
public final class JdbcLeaseStore extends BlockingLeaseStore {
    private static final int MOST_WAITING_CALLS = 1_000;
    private static final String MAKING = "making the table";

    private final Connections connections;
    private final JdbcStoreOptions options;
    private final ServerSessions sessions = new ServerSessions();
    private final Renewals renewals;
    private final Attempts attempts = new Attempts();
    private final PostgresWakeups wakeups;
    private final StatementWatch watch;
    private final AtomicBoolean toldOfTransactions = new AtomicBoolean();
    private final Sweeper sweeper = new Sweeper(this::forgetSome, this::report, System::nanoTime);

    private volatile StoreListener listener = event -> {};
    private volatile @Nullable Verbs verbs;
    private volatile @Nullable LeaseTable table;

    private JdbcLeaseStore(DataSource source, JdbcStoreOptions options) {
        super(StatementWatch.daemons("tenure-jdbc"), options.maxThreads(), MOST_WAITING_CALLS);
        this.connections = () -> sessions.take(source, options.callTimeout());
        this.options = options;
        // The answer of what is given up should come before the connection is cut.
        this.watch = new StatementWatch(
                StatementWatch.daemons("tenure-jdbc"),
                options.callTimeout().multipliedBy(3).dividedBy(4),
                options.callTimeout().dividedBy(8));
        this.renewals = new Renewals(this::renewTogether, this::renewAlone);
        this.wakeups = new PostgresWakeups(options.listenOn().orElse(source), source, this::leave, this::report);
    }

    /** A store with the default options; as {@link #over(DataSource, JdbcStoreOptions)}. */
    public static JdbcLeaseStore over(DataSource source) {
        return over(source, JdbcStoreOptions.defaults());
    }

    /**
     * A store whose connections come from {@code source}, most likely a pool. It stays the caller's: closing the store does
     * not close it. Connects to nothing yet; which database it is shows with the first connection.
     */
    public static JdbcLeaseStore over(DataSource source, JdbcStoreOptions options) {
        return new JdbcLeaseStore(Objects.requireNonNull(source, "source"), Objects.requireNonNull(options, "options"));
    }

    /**
     * Makes the table of leases, unless there is one by its name; several may do so at once. Blocks, while a thread of the
     * store's does it: a transaction of the caller's has no part in it. Needs rights that leases do not, unless the table is there; the statements are
     * also in this archive, as {@code io/tenure/jdbc/schema/*.sql}.
     *
     * @throws StoreException when the database refused or could not be reached
     */
    public void createSchema() {
        try {
            submit("the table", this::makeTable).toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException store ? store : translated(MAKING, e);
        }
    }

    private boolean makeTable() {
        try {
            return run(session -> {
                LeaseTable made = table(session);
                SchemaMaker.make(session.connection(), made.in("${table}"), made.schema());
                return true;
            });
        } catch (SQLException | RuntimeException e) {
            throw e instanceof StoreException store ? store : translated(MAKING, e);
        }
    }

    @Override
    public void listen(StoreListener reports) {
        listener = Objects.requireNonNull(reports, "reports");
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request) {
        Attempts.Attempt attempt = attempts.begin(request.claim());
        return attempt.settledBy(submit(request.claim().name(), () -> attempt.run(() -> acquireNow(request))));
    }

    @Override
    public CompletionStage<Acquisition> acquire(LeaseRequest request, Executor waiting) {
        if (!callersTakePart()) {
            return acquire(request);
        }
        Connections callers = callers();
        Attempts.Attempt attempt = attempts.begin(request.claim());
        return attempt.settledBy(
                submit(request.claim().name(), () -> attempt.run(() -> acquireOn(callers, request)), waiting));
    }

    /** Not before it is known which database it is, and not the thread of somebody who wants it for something else. */
    private boolean callersTakePart() {
        LeaseTable known = table;
        return options.callsOn() == CallThread.CALLER
                && known != null
                && known.dialect() != Dialect.H2
                && !Thread.currentThread().isInterrupted();
    }

    /** {@inheritDoc} <p>The release of an attempt that was given up waits until that cannot reach the database any more. */
    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        return request.claim().token() == 0
                ? attempts.over(request.claim()).thenCompose(over -> super.release(request))
                : super.release(request);
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request, Executor waiting) {
        if (request.claim().token() == 0 || !callersTakePart()) {
            return release(request);
        }
        Connections callers = callers();
        return submit(
                request.claim().name(),
                () -> run(callers, session -> verbs(session).release(session, request)),
                waiting);
    }

    private Connections callers() {
        return Connections.onceOfNobodysTransaction(connections, this::tellOfTransactions);
    }

    private void tellOfTransactions() {
        if (toldOfTransactions.compareAndSet(false, true)) {
            report(new TenureEvent.StoreWarning(
                    "The data source gave the thread of a caller a connection with auto-commit"
                            + " off, which may be that of a transaction of the caller's: it was left alone, and such calls go to the"
                            + " store's threads. Give the store a data source whose connections commit each statement and are in no"
                            + " transaction, or leave out callsOn(CALLER)."));
        }
    }

    @Override
    protected Acquisition acquireNow(LeaseRequest request) throws SQLException {
        return acquireOn(connections, request);
    }

    private Acquisition acquireOn(Connections from, LeaseRequest request) throws SQLException {
        Acquisition answer = run(from, session -> verbs(session).acquire(session, request));
        if (answer instanceof Acquisition.Granted
                && request.kind() == LeaseKind.LOCK
                && !options.retention().isZero()) {
            sweeper.granted();
        }
        return answer;
    }

    private CompletionStage<Integer> forgetSome() {
        return submit(
                "rows of locks that are over",
                () -> run(session -> verbs(session).forgetSome(session)));
    }

    private void report(TenureEvent event) {
        listener.report(
                event instanceof TenureEvent.StoreWarning warning
                        ? new TenureEvent.StoreWarning(FailureTeller.cleaned(warning.message()))
                        : event);
    }

    @Override
    public List<CompletionStage<Renewal>> renew(List<RenewRequest> requests) {
        return renewals.send(requests);
    }

    private CompletionStage<List<Optional<Renewal>>> renewTogether(List<RenewRequest> requests) {
        String names = requests.get(0).claim().name();
        return submit(names, () -> run(session -> verbs(session).renewAll(session, requests)));
    }

    private CompletionStage<Renewal> renewAlone(RenewRequest request) {
        return submit(request.claim().name(), () -> renewNow(request));
    }

    @Override
    protected Renewal renewNow(RenewRequest request) throws SQLException {
        return run(session -> verbs(session).renew(session, request));
    }

    @Override
    protected boolean releaseNow(ReleaseRequest request) throws SQLException {
        return run(session -> verbs(session).release(session, request));
    }

    @Override
    protected Optional<LeaseRecord> findNow(String name) throws SQLException {
        return run(session -> verbs(session).find(session, name));
    }

    @Override
    protected List<LeaseRecord> listNow(String prefix, int limit) throws SQLException {
        return run(session -> verbs(session).list(session, prefix, limit));
    }

    @Override
    protected boolean evictNow(LeaseRecord seen) throws SQLException {
        return run(session -> verbs(session).evict(session, seen));
    }

    /** By messages of the database's on PostgreSQL; elsewhere waiters poll. */
    @Override
    public Wakeups wakeups() {
        return wakeups;
    }

    private CompletionStage<Boolean> leave(String name, String waiter) {
        return submit(name, () -> run(session -> verbs(session).leave(session, name, waiter)));
    }

    @Override
    public void close() {
        wakeups.close();
        super.close();
        watch.close();
    }

    @Override
    public Duration shortestTtl() {
        return options.callTimeout().multipliedBy(2);
    }

    @Override
    protected StoreException translate(String name, Exception cause) {
        return translated("the call for '" + name + "'", cause);
    }

    private StoreException translated(String what, Exception cause) {
        LeaseTable known = table;
        return FailureTeller.ofLeases(
                        options.qualifiedTable(), known == null ? "schema/*.sql" : LeaseTable.file(known.dialect()))
                .during(what, cause);
    }

    /** What is done with a connection. */
    @FunctionalInterface
    private interface Work<T> {
        T with(Session session) throws SQLException;
    }

    private <T> T run(Work<T> work) throws SQLException {
        return run(connections, work);
    }

    private <T> T run(Connections from, Work<T> work) throws SQLException {
        try (Session session = Session.open(from, options.callTimeout(), watch)) {
            try {
                return work.with(session);
            } catch (SQLException e) {
                session.failed(e);
                throw e;
            }
        }
    }

    private Verbs verbs(Session session) throws SQLException {
        Verbs known = verbs;
        if (known == null) {
            known = verbsOf(table(session), new Minting(options, this::report));
            verbs = known;
        }
        return known;
    }

    private Verbs verbsOf(LeaseTable table, Minting minting) {
        return switch (table.dialect()) {
            case POSTGRESQL -> new PostgresVerbs(table, minting, wakeups::channel);
            case MARIADB, H2 -> new PortableVerbs(table, minting);
        };
    }

    private LeaseTable table(Session session) throws SQLException {
        LeaseTable known = table;
        if (known == null) {
            known = LeaseTable.of(Dialect.known(session.connection()), options);
            table = known;
        }
        return known;
    }

    /** Names the table, nothing of the connections. */
    @Override
    public String toString() {
        return "JdbcLeaseStore(" + options.qualifiedTable() + ")";
    }
}
