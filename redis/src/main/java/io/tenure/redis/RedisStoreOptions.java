package io.tenure.redis;

import io.tenure.TokenSource;
import io.tenure.spi.LeaseKind;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link RedisLeaseStore}. Immutable. All instances that share names should agree on them. */
public final class RedisStoreOptions {
    /** How long the counter and mark of a lock name are kept after their last use, unless set. */
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(1);

    /** The shortest retention: 1 ms. A lock's counter and mark are kept for at least twice its ttl all the same. */
    public static final Duration MIN_RETENTION = Duration.ofMillis(1);

    /** The longest retention: 3650 days. */
    public static final Duration MAX_RETENTION = Duration.ofDays(3650);

    private static final RedisStoreOptions DEFAULTS = builder().build();

    private final TokenSource tokens;
    private final Duration retention;
    private final @Nullable Acknowledgement acknowledgement;
    private final Opening opening;

    private enum Opening {
        WARNING,
        STRICT
    }

    private RedisStoreOptions(Builder builder, Duration retention) {
        this.tokens = builder.tokens;
        this.retention = retention;
        this.acknowledgement = builder.acknowledgement;
        this.opening = builder.opening;
    }

    /** Tokens from the server's clock, kept for {@link #DEFAULT_RETENTION}. */
    public static RedisStoreOptions defaults() {
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

    /** How long counter and mark of a lock name are kept after their last use; zero for ever. */
    public Duration retention() {
        return retention;
    }

    /** What replicas are asked for before a lease counts as granted; empty for nothing. */
    public Optional<Acknowledgement> minReplicas() {
        return Optional.ofNullable(acknowledgement);
    }

    /** Whether a dangerous server is refused. */
    public boolean isStrict() {
        return opening == Opening.STRICT;
    }

    /** Milliseconds for which counter and mark of such a lease are kept; 0 for ever. */
    long retentionMillis(LeaseKind kind, Duration ttl) {
        return kind == LeaseKind.ELECTION || retention.isZero()
                ? 0
                : Math.max(retention.toMillis(), 2 * ttl.toMillis());
    }

    /** Collects settings; not thread-safe. */
    public static final class Builder {
        private TokenSource tokens = TokenSource.STORE_CLOCK;
        private @Nullable Duration retention;
        private Opening opening = Opening.WARNING;
        private @Nullable Acknowledgement acknowledgement;

        private Builder() {}

        /** What new tokens are counted from; {@link TokenSource#STORE_CLOCK} unless set. */
        public Builder tokens(TokenSource tokens) {
            this.tokens = Objects.requireNonNull(tokens, "tokens");
            return this;
        }

        /**
         * How long the counter and mark of a <em>lock</em> name are kept after their last use: from
         * {@link #MIN_RETENTION} to {@link #MAX_RETENTION}, fractions of a millisecond truncated; never less than twice the
         * ttl of the lock. {@link #DEFAULT_RETENTION} unless set. Those of elections never expire.
         */
        public Builder retention(Duration retention) {
            this.retention = Objects.requireNonNull(retention, "retention");
            return this;
        }

        /**
         * Refuses a server with a finding of {@link DurabilityReport.Grade#DANGER} when the store is made, which blocks for
         * its answer then, as long as the client waits for one and for 5 s at most. What the server does not let this user
         * see is not refused; a port that cannot look at all ({@link RedisPort#inspect}) is, for good. Unless set, a {@link io.tenure.TenureEvent.StoreWarning} tells of such findings.
         */
        public Builder strict() {
            opening = Opening.STRICT;
            return this;
        }

        /**
         * A lease counts as granted only when {@code n} replicas had it within {@code timeout}; else it is released again,
         * and acquiring fails with {@link io.tenure.NotAcknowledgedException}. None are asked unless set. Renewals are not
         * waited for: a fail-over may still shorten a lease. On a cluster it is the replicas of the primary that keeps the
         * lease which count. The user needs the right to {@code WAIT}.
         *
         * @param n 1 or more
         * @param timeout from 1 ms to {@link Acknowledgement#MAX_TIMEOUT}, fractions of a millisecond truncated; below a third
         *     of the ttl of every lease, and below the command time-out of the client
         * @throws IllegalArgumentException when a value is out of its range
         */
        public Builder minReplicas(int n, Duration timeout) {
            this.acknowledgement = new Acknowledgement(n, Objects.requireNonNull(timeout, "timeout"));
            return this;
        }

        /**
         * Checks all settings against each other.
         *
         * @throws IllegalArgumentException when the retention is out of its range, or set although tokens come from
         *     {@link TokenSource#COUNTER}
         */
        public RedisStoreOptions build() {
            if (retention == null) {
                return new RedisStoreOptions(this, tokens == TokenSource.COUNTER ? Duration.ZERO : DEFAULT_RETENTION);
            }
            if (tokens == TokenSource.COUNTER) {
                throw new IllegalArgumentException(
                        "tokens is COUNTER and retention is " + retention
                                + ": a counter that expires starts at 1 again, below tokens that are still in use. Leave retention out");
            }
            if (retention.compareTo(MIN_RETENTION) < 0 || retention.compareTo(MAX_RETENTION) > 0) {
                throw new IllegalArgumentException(
                        "retention is " + retention + ": it has to be from 1 ms to 3650 days");
            }
            return new RedisStoreOptions(this, retention.truncatedTo(ChronoUnit.MILLIS));
        }
    }
}
