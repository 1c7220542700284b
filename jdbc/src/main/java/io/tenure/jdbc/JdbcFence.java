package io.tenure.jdbc;

import io.tenure.Fence;
import io.tenure.Lease;
import io.tenure.Names;
import io.tenure.StaleTokenException;
import io.tenure.StoreException;
import io.tenure.Tokens;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of a database that are refused when their token is stale. For leases kept anywhere: the holder has to
 * {@link #claim} the fence before its first write, which an elector does by {@code ElectorOptions.claims}. Thread-safe.
 *
 * <p>A transaction {@linkplain #require requires} its token in its first statement. That keeps the mark from moving until it
 * ends: the claim of a successor waits for it, and once that claim is made, the old token is refused. So no transaction of a
 * predecessor commits after the claim of a successor has returned. Transactions of one leader run side by side; on H2, which
 * has no shared locks, one after another.
 *
 * <p>Only the mark itself is accepted: a higher token is refused until it is claimed. A transient {@link StoreException}
 * says nothing about the token: roll back, and run the transaction again.
 *
 * <p>The rule is that of M. Kleppmann, "How to do distributed locking" (2016).
 */
public final class JdbcFence implements Fence {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final DataSource source;
    private final String name;
    private final JdbcFenceOptions options;
    private final FailureTeller teller;
    private final ServerSessions sessions = new ServerSessions();
    /** For updates that may not take as long as they want. Its thread comes with one, and goes when there is none. */
    private final @Nullable StatementWatch watch;

    private final AtomicReference<@Nullable FenceSql> known = new AtomicReference<>();

    private JdbcFence(DataSource source, String name, JdbcFenceOptions options) {
        this.source = Objects.requireNonNull(source, "source");
        this.name = Names.require("name", name);
        this.options = Objects.requireNonNull(options, "options");
        this.teller = FailureTeller.ofFence(options.qualifiedTable());
        this.watch = options.updateTimeout()
                .map(time -> new StatementWatch(StatementWatch.daemons("tenure-jdbc-fence"), time, LOOK_EVERY))
                .orElse(null);
    }

    /**
     * The fence of the lease {@code name}, in the table {@link JdbcFenceOptions#DEFAULT_TABLE}. Nothing is sent yet.
     *
     * @param source where claims and guarded updates take connections of their own from; not one that hands out the
     *     connection of the caller's transaction. It stays open
     * @throws IllegalArgumentException when leases could not have that name
     */
    public static JdbcFence over(DataSource source, String name) {
        return over(source, name, JdbcFenceOptions.defaults());
    }

    /**
     * The fence of the lease {@code name}, with settings.
     *
     * @throws IllegalArgumentException when leases could not have that name
     */
    public static JdbcFence over(DataSource source, String name, JdbcFenceOptions options) {
        return new JdbcFence(source, name, options);
    }

    /**
     * Makes the table {@link JdbcFenceOptions#DEFAULT_TABLE} unless there is one of that name. It is never made otherwise.
     * Whoever may not make tables may call it all the same where there is one that he may read.
     *
     * @throws StoreException when it could not be made
     */
    public static void createSchema(DataSource source) {
        createSchema(source, JdbcFenceOptions.defaults());
    }

    /**
     * Makes the table that {@code options} name unless there is one of that name.
     * Whoever may not make tables may call it all the same where there is one that he may read.
     *
     * @throws StoreException when it could not be made
     */
    public static void createSchema(DataSource source, JdbcFenceOptions options) {
        try (OwnConnection own = new ServerSessions().take(source, options.claimTimeout())) {
            FenceSchema.create(own, options.qualifiedTable());
        } catch (SQLException e) {
            throw FailureTeller.ofFence(options.qualifiedTable())
                    .during("making the table " + options.qualifiedTable(), e);
        }
    }

    /** The name of the lease. */
    public String name() {
        return name;
    }

    /**
     * Raises the mark to {@code token}, so that lower ones are refused from now on. Waits for the open transactions that
     * required a lower one; no new ones are let in meanwhile. On a connection of its own, in transactions of its own: to
     * claim from within a transaction that required an older token waits for itself.
     *
     * @throws StaleTokenException when a higher token was claimed or announced, or {@code token} is below 1 or not below
     *     2^53
     * @throws StoreException a transient one when open transactions did not end within
     *     {@link JdbcFenceOptions#claimTimeout()}, when the thread was interrupted, which it stays, or when the database
     *     could not be asked, or said nothing for that long (2 s at least), in which case the claim may have been made; a
     *     permanent one when the database refused
     */
    @Override
    public void claim(long token) {
        Tokens.requireValid(name, token, 0);
        long deadline = System.nanoTime() + options.claimTimeout().toNanos();
        try (OwnConnection own = sessions.take(source, options.claimTimeout())) {
            new FenceClaim(sql(own.raw()), own, name, token, options.claimTimeout(), deadline).make();
        } catch (SQLException e) {
            throw teller.during("claiming '" + name + "'", e);
        }
    }

    /**
     * Makes sure that {@code token} is current until the transaction of {@code connection} ends. To be its first statement:
     * what was read or locked before might be a predecessor's, or what a claim waits for. What is thrown has to end the
     * transaction.
     *
     * @param connection with auto-commit off; one of the database of this fence, and of its primary
     * @throws IllegalStateException when auto-commit is on: nothing would be kept from moving
     * @throws StaleTokenException when {@code token} is not the mark, a higher one is announced, or nothing was claimed
     * @throws StoreException a transient one when the transaction has to be run again; a permanent one when the database
     *     refused
     */
    public void require(Connection connection, long token) {
        Objects.requireNonNull(connection, "connection");
        Tokens.requireValid(name, token, 0);
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalStateException("The token of '" + name + "' cannot be required on a connection with"
                        + " auto-commit on: the next statement would not be guarded any more. Call setAutoCommit(false), or"
                        + " begin a transaction, first");
            }
            FenceCheck.require(connection, sql(connection), name, token);
        } catch (SQLException e) {
            throw teller.during("requiring token " + token + " of '" + name + "'", e);
        }
    }

    /**
     * Runs one INSERT, UPDATE, DELETE or MERGE when {@code token} is current, in a transaction of its own on a connection of
     * its own, and tells how many rows it changed: 0 means that there was no such row, never that the token is stale. Takes
     * as long as the statement does, unless {@link JdbcFenceOptions.Builder#updateTimeout} bounds it.
     *
     * @param sql one statement, with {@code ?} for what varies. That it is one, and writes, is not checked. Without a
     *     semicolon it takes one round trip on PostgreSQL, else three
     * @param arguments as many as there are {@code ?}, in their order, of types that the driver takes in
     *     {@link java.sql.PreparedStatement#setObject(int, Object)}: strings, numbers, booleans, null, and {@code java.time}
     *     as far as it knows it. One that is null by itself is {@code (Object) null}
     * @throws StaleTokenException when {@code token} is not current; nothing was written
     * @throws StoreException when the database refused the statement, or, a transient one, when it has to be run again; after
     *     a lost connection it may have been applied
     */
    public long guardedUpdate(long token, String sql, @Nullable Object... arguments) {
        Objects.requireNonNull(sql, "sql");
        // What a lone null among varargs is meant for cannot be told, and either guess would write something else.
        Objects.requireNonNull(
                arguments, "arguments: for one that is null give (Object) null, for none leave them out");
        Tokens.requireValid(name, token, 0);
        long begun = System.nanoTime();
        try (OwnConnection own = sessions.take(source, options.claimTimeout())) {
            begun = System.nanoTime();
            FenceSql statements = sql(own.raw());
            if (watch != null) {
                statements.limit(own, options.updateTimeout().orElseThrow(), watch);
            }
            return statements.guardedUpdate(own, name, token, sql, arguments);
        } catch (SQLException e) {
            Duration taken = Duration.ofNanos(System.nanoTime() - begun);
            throw FailureTeller.ofUpdates(options.qualifiedTable(), new UpdateWords(options.updateTimeout(), taken))
                    .during("writing by fence '" + name + "'", e);
        }
    }

    /**
     * The same with the token of {@code lease}, as it is now.
     *
     * @throws IllegalArgumentException when the lease has another name
     */
    public BoundJdbcFence bind(Lease lease) {
        if (!lease.name().equals(name)) {
            throw new IllegalArgumentException("The lease '" + lease.name() + "' cannot be bound to the fence '" + name
                    + "': tokens of one name mean nothing for another. Bind the lease of this name");
        }
        return new BoundJdbcFence(this, lease.token());
    }

    private FenceSql sql(Connection connection) throws SQLException {
        FenceSql sql = known.get();
        if (sql == null) {
            sql = FenceSql.of(Dialect.known(connection), options.qualifiedTable());
            known.set(sql);
        }
        return sql;
    }

    @Override
    public String toString() {
        return "JdbcFence(" + name + ")";
    }
}
