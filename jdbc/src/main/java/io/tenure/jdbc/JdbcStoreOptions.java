package io.tenure.jdbc;

import io.tenure.TokenSource;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link JdbcLeaseStore}. Immutable. All instances that share names should agree on them. */
public final class JdbcStoreOptions {
    /** The table of leases, unless set. */
    public static final String DEFAULT_TABLE = "tenure_lease";

    /** How long the tokens of a lock name are kept after their last use, unless set. */
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(1);

    /** The shortest retention: 1 ms. A lock's tokens are kept for at least twice its ttl all the same. */
    public static final Duration MIN_RETENTION = Duration.ofMillis(1);

    /** The longest retention: 3650 days. */
    public static final Duration MAX_RETENTION = Duration.ofDays(3650);

    /** How long a call may take from its first statement to its last answer, unless set. */
    public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(2);

    /** The shortest time-out of calls. */
    public static final Duration MIN_CALL_TIMEOUT = Duration.ofMillis(50);

    /** The longest time-out of calls. */
    public static final Duration MAX_CALL_TIMEOUT = Duration.ofMinutes(10);

    /** How many calls run at once, unless set. */
    public static final int DEFAULT_MAX_THREADS = 8;

    /** The most calls that may be set to run at once. */
    public static final int MOST_THREADS = 256;

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,47}");
    private static final JdbcStoreOptions DEFAULTS = builder().build();

    private final TokenSource tokens;
    private final Duration retention;
    private final String table;
    private final @Nullable String schema;
    private final Duration callTimeout;
    private final int maxThreads;
    private final CallThread callsOn;
    private final @Nullable DataSource listenOn;

    private JdbcStoreOptions(Builder builder, Duration retention) {
        this.tokens = builder.tokens;
        this.retention = retention;
        this.table = builder.table;
        this.schema = builder.schema;
        this.callTimeout = builder.callTimeout;
        this.maxThreads = builder.maxThreads;
        this.callsOn = builder.callsOn;
        this.listenOn = builder.listenOn;
    }

    /** Tokens from the server's clock, kept for {@link #DEFAULT_RETENTION}, in the table {@link #DEFAULT_TABLE}. */
    public static JdbcStoreOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** What new tokens are counted from. */
    public TokenSource tokens() {
        return tokens;
    }

    /** How long the tokens of a lock name are kept after their last use; zero for ever. */
    public Duration retention() {
        return retention;
    }

    /** The table of leases. */
    public String table() {
        return table;
    }

    /** The schema, on MariaDB and MySQL the database, of the table; empty for the one that connections come with. */
    public Optional<String> schema() {
        return Optional.ofNullable(schema);
    }

    /** How long a call may take once it has a connection. */
    public Duration callTimeout() {
        return callTimeout;
    }

    /** How many calls run at once, each on a connection and a thread of its own. */
    public int maxThreads() {
        return maxThreads;
    }

    /** On which threads calls run. */
    public CallThread callsOn() {
        return callsOn;
    }

    /** Where the connection comes from that a store on PostgreSQL listens on; empty for where all come from. */
    public Optional<DataSource> listenOn() {
        return Optional.ofNullable(listenOn);
    }

    /** Milliseconds for which the tokens of such a lease are kept; 0 for ever. */
    long retentionMillis(LeaseKind kind, Duration ttl) {
        return kind == LeaseKind.ELECTION || retention.isZero()
                ? 0
                : Math.max(retention.toMillis(), 2 * ttl.toMillis());
    }

    /** The table, as people name it. */
    String qualifiedTable() {
        return schema == null ? table : schema + "." + table;
    }

    /** Names the settings, nothing of the connections. */
    @Override
    public String toString() {
        return "JdbcStoreOptions(table " + qualifiedTable() + ", tokens " + tokens + ", retention "
                + (retention.isZero() ? "for ever" : retention.toString()) + ", callTimeout " + callTimeout
                + ", maxThreads " + maxThreads + ", callsOn " + callsOn
                + (listenOn == null ? "" : ", listenOn a source of its own") + ")";
    }

    /** Collects settings; not thread-safe. */
    public static final class Builder {
        private TokenSource tokens = TokenSource.STORE_CLOCK;
        private @Nullable Duration retention;
        private String table = DEFAULT_TABLE;
        private @Nullable String schema;
        private Duration callTimeout = DEFAULT_CALL_TIMEOUT;
        private int maxThreads = DEFAULT_MAX_THREADS;
        private CallThread callsOn = CallThread.STORE;
        private @Nullable DataSource listenOn;

        private Builder() {}

        /** What new tokens are counted from; {@link TokenSource#STORE_CLOCK} unless set. */
        public Builder tokens(TokenSource tokens) {
            this.tokens = Objects.requireNonNull(tokens, "tokens");
            return this;
        }

        /**
         * How long the tokens of a <em>lock</em> name are kept after their last use: from {@link #MIN_RETENTION} to
         * {@link #MAX_RETENTION}, fractions of a millisecond truncated; never less than twice the ttl of the lock.
         * {@link #DEFAULT_RETENTION} unless set. Those of elections are kept for ever, and those of locks too, without a
         * retention, when tokens come from {@link TokenSource#COUNTER}.
         */
        public Builder retention(Duration retention) {
            this.retention = Objects.requireNonNull(retention, "retention");
            return this;
        }

        /**
         * The table of leases: a letter or underscore, then up to 47 letters, digits and underscores. Statements quote it, so
         * upper and lower case are as given, unlike those of {@link JdbcFenceOptions.Builder#table}.
         */
        public Builder table(String table) {
            this.table = Objects.requireNonNull(table, "table");
            return this;
        }

        /** The schema, on MariaDB and MySQL the database, of the table; of the same form as {@link #table}, and quoted too. */
        public Builder schema(String schema) {
            this.schema = Objects.requireNonNull(schema, "schema");
            return this;
        }

        /**
         * How long a call may take once it has a connection, before it is cut and its connection closed: from
         * {@link #MIN_CALL_TIMEOUT} to {@link #MAX_CALL_TIMEOUT}, fractions of a millisecond truncated. Leases have to last at
         * least twice as long, so that a renewal that hung is over in time for a second one.
         */
        public Builder callTimeout(Duration timeout) {
            this.callTimeout = Objects.requireNonNull(timeout, "timeout");
            return this;
        }

        /**
         * How many calls run at once, from 1 to {@link #MOST_THREADS}: no more than the pool has connections to spare.
         */
        public Builder maxThreads(int maxThreads) {
            this.maxThreads = maxThreads;
            return this;
        }

        /** On which threads calls run; {@link CallThread#STORE} unless set. */
        public Builder callsOn(CallThread callsOn) {
            this.callsOn = Objects.requireNonNull(callsOn, "callsOn");
            return this;
        }

        /**
         * Where the one connection comes from that a store on PostgreSQL listens on for releases, from the first wait to the
         * end of the store. Unless set, that is where all its connections come from. Behind what gives every transaction
         * another connection of the server's, as PgBouncer in transaction mode does, nothing can be heard: name a source
         * here that goes to the same database without it. Not used on other databases.
         */
        public Builder listenOn(DataSource source) {
            this.listenOn = Objects.requireNonNull(source, "source");
            return this;
        }

        /**
         * Checks all settings against each other.
         *
         * @throws IllegalArgumentException when a value is out of its range or form, or the retention is set although
         *     tokens come from {@link TokenSource#COUNTER}
         */
        public JdbcStoreOptions build() {
            requireIdentifier("table", table);
            if (schema != null) {
                requireIdentifier("schema", schema);
            }
            callTimeout = callTimeout.truncatedTo(ChronoUnit.MILLIS);
            requireRange("callTimeout", callTimeout, MIN_CALL_TIMEOUT, MAX_CALL_TIMEOUT, "50 ms to 10 minutes");
            if (maxThreads < 1 || maxThreads > MOST_THREADS) {
                throw new IllegalArgumentException(
                        "maxThreads is " + maxThreads + ": it has to be from 1 to " + MOST_THREADS);
            }
            if (retention == null) {
                return new JdbcStoreOptions(this, tokens == TokenSource.COUNTER ? Duration.ZERO : DEFAULT_RETENTION);
            }
            if (tokens == TokenSource.COUNTER) {
                throw new IllegalArgumentException(
                        "tokens is COUNTER and retention is " + retention
                                + ": a counter that is forgotten starts at 1 again, below tokens that are still in use. Leave retention out");
            }
            requireRange(
                    "retention",
                    retention,
                    MIN_RETENTION,
                    MAX_RETENTION,
                    "1 ms to 3650 days. Tokens of locks are kept for ever with TokenSource.COUNTER, and no retention, only");
            return new JdbcStoreOptions(this, retention.truncatedTo(ChronoUnit.MILLIS));
        }

        private static void requireIdentifier(String what, String identifier) {
            if (!IDENTIFIER.matcher(identifier).matches()) {
                throw new IllegalArgumentException(
                        what + " is '" + identifier
                                + "': it has to be a letter or underscore and up to 47 letters, digits and underscores of ASCII");
            }
        }

        private static void requireRange(
                String what, Duration value, Duration shortest, Duration longest, String range) {
            if (value.compareTo(shortest) < 0 || value.compareTo(longest) > 0) {
                throw new IllegalArgumentException(what + " is " + value + ": it has to be from " + range);
            }
        }
    }
}
