package io.tenure.jdbc;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link JdbcFence}. Immutable. All instances that share names should agree on them. */
public final class JdbcFenceOptions {
    /** The table, unless set. */
    public static final String DEFAULT_TABLE = "tenure_fence";

    /**
     * How long a claim waits for open transactions of predecessors, unless set: 4 s. That is less than an elector gives a
     * claim unless set, 5 s, after which it says less about what to do.
     */
    public static final Duration DEFAULT_CLAIM_TIMEOUT = Duration.ofSeconds(4);

    /** The shortest time that a claim may be given: 100 ms, a few round trips on a busy machine. */
    public static final Duration MIN_CLAIM_TIMEOUT = Duration.ofMillis(100);

    /** The longest time that a claim may be given: 1 h. */
    public static final Duration MAX_CLAIM_TIMEOUT = Duration.ofHours(1);

    /** The shortest bound of a guarded update: 1 s, since drivers count in seconds. */
    public static final Duration MIN_UPDATE_TIMEOUT = Duration.ofSeconds(1);

    /** The longest bound of a guarded update: 24 h. */
    public static final Duration MAX_UPDATE_TIMEOUT = Duration.ofHours(24);

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final JdbcFenceOptions DEFAULTS = builder().build();

    private final String table;
    private final @Nullable String schema;
    private final Duration claimTimeout;
    private final @Nullable Duration updateTimeout;

    private JdbcFenceOptions(Builder builder) {
        table = builder.table;
        schema = builder.schema;
        claimTimeout = builder.claimTimeout;
        updateTimeout = builder.updateTimeout;
    }

    /** The table {@link #DEFAULT_TABLE} where the connection looks for tables, and {@link #DEFAULT_CLAIM_TIMEOUT}. */
    public static JdbcFenceOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The table of marks. */
    public String table() {
        return table;
    }

    /** The schema, on MariaDB and MySQL the database, of the table; empty for where connections look for tables. */
    public Optional<String> schema() {
        return Optional.ofNullable(schema);
    }

    /** The table as statements name it. */
    String qualifiedTable() {
        return schema == null ? table : schema + "." + table;
    }

    /** How long a claim waits for open transactions of predecessors. */
    public Duration claimTimeout() {
        return claimTimeout;
    }

    /** How long a guarded update may take; as long as its statement does when empty. */
    public Optional<Duration> updateTimeout() {
        return Optional.ofNullable(updateTimeout);
    }

    @Override
    public String toString() {
        return "JdbcFenceOptions(table " + qualifiedTable() + ", claimTimeout " + claimTimeout
                + (updateTimeout == null ? "" : ", updateTimeout " + updateTimeout) + ")";
    }

    /** Collects settings; not thread-safe. */
    public static final class Builder {
        private @Nullable String schema;
        private String table = DEFAULT_TABLE;
        private Duration claimTimeout = DEFAULT_CLAIM_TIMEOUT;
        private @Nullable Duration updateTimeout;

        private Builder() {}

        /**
         * The schema of the table, on MariaDB and MySQL the database, of the same form as {@link #table}, and not
         * quoted either; where the connection looks for tables unless set.
         */
        public Builder schema(String schema) {
            this.schema = Objects.requireNonNull(schema, "schema");
            return this;
        }

        /**
         * The name of the table: letters, digits and underscores, 63 at most, no digit first; {@link #DEFAULT_TABLE} unless
         * set. Statements do not quote it, so upper and lower case are what the database makes of them, unlike those of
         * {@link JdbcStoreOptions.Builder#table}.
         */
        public Builder table(String table) {
            this.table = Objects.requireNonNull(table, "table");
            return this;
        }

        /**
         * How long a claim waits for open transactions that required an older token, from {@link #MIN_CLAIM_TIMEOUT} to
         * {@link #MAX_CLAIM_TIMEOUT}, fractions of a millisecond truncated; {@link #DEFAULT_CLAIM_TIMEOUT} unless set.
         * Shorter than the drain timeout of the elector that claims it, which interrupts a claim then. On MariaDB and MySQL
         * it is kept to the second.
         */
        public Builder claimTimeout(Duration timeout) {
            this.claimTimeout = Objects.requireNonNull(timeout, "timeout");
            return this;
        }

        /**
         * How long the statement of {@link JdbcFence#guardedUpdate} may take, from {@link #MIN_UPDATE_TIMEOUT} to
         * {@link #MAX_UPDATE_TIMEOUT}, fractions of a second truncated. The server is asked to give it up then, which undoes
         * it; one that says nothing for 2 s longer is given up itself. Unless set, a statement takes as long as it does, and a
         * server that says nothing is given up by the time-out that the driver was given ({@code socketTimeout}), which may
         * be never. In H2, which runs in this process, nothing is bounded but the waiting for locks.
         */
        public Builder updateTimeout(Duration timeout) {
            this.updateTimeout = Objects.requireNonNull(timeout, "timeout");
            return this;
        }

        /**
         * Checks all settings.
         *
         * @throws IllegalArgumentException when a value is out of its range or form
         */
        public JdbcFenceOptions build() {
            requireIdentifier("table", table);
            if (schema != null) {
                requireIdentifier("schema", schema);
            }
            requireRange("claimTimeout", claimTimeout, MIN_CLAIM_TIMEOUT, MAX_CLAIM_TIMEOUT, "100 ms to 1 h");
            claimTimeout = claimTimeout.truncatedTo(ChronoUnit.MILLIS);
            if (updateTimeout != null) {
                requireRange("updateTimeout", updateTimeout, MIN_UPDATE_TIMEOUT, MAX_UPDATE_TIMEOUT, "1 s to 24 h");
                updateTimeout = updateTimeout.truncatedTo(ChronoUnit.SECONDS);
            }
            return new JdbcFenceOptions(this);
        }

        private static void requireIdentifier(String what, String name) {
            if (!IDENTIFIER.matcher(name).matches()) {
                throw new IllegalArgumentException(what + " is '" + name
                        + "': it goes into statements as it is, so it has to be letters, digits and underscores of ASCII, 63 at"
                        + " most, and no digit first");
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
