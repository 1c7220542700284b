package io.tenure.redis;

import io.tenure.TokenSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
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
    private final Opening opening;

    private enum Opening {
        WARNING,
        STRICT
    }

    private RedisStoreOptions(TokenSource tokens, Duration retention, Opening opening) {
        this.tokens = tokens;
        this.retention = retention;
        this.opening = opening;
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

    /** Whether a dangerous server is refused. */
    public boolean isStrict() {
        return opening == Opening.STRICT;
    }

    /** Collects settings; not thread-safe. */
    public static final class Builder {
        private TokenSource tokens = TokenSource.STORE_CLOCK;
        private @Nullable Duration retention;
        private Opening opening = Opening.WARNING;

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
         * see is not refused. Unless set, a {@link io.tenure.TenureEvent.StoreWarning} tells of such findings.
         */
        public Builder strict() {
            opening = Opening.STRICT;
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
                Duration usual = tokens == TokenSource.COUNTER ? Duration.ZERO : DEFAULT_RETENTION;
                return new RedisStoreOptions(tokens, usual, opening);
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
            return new RedisStoreOptions(tokens, retention.truncatedTo(ChronoUnit.MILLIS), opening);
        }
    }
}
