package io.tenure;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link LeaseLock} behaves. Immutable. All durations count in milliseconds; fractions are truncated.
 */
public final class LockOptions {
    /** How long a lock lasts without a renewal, unless said otherwise: 30 s. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);
    /** How often a waiter looks when it is not told, unless said otherwise: 100 ms. */
    public static final Duration DEFAULT_RETRY_EVERY = Duration.ofMillis(100);
    /** The shortest ttl: 1 ms. */
    public static final Duration MIN_TTL = Duration.ofMillis(1);
    /** The shortest ttl that can be renewed: 30 ms. */
    public static final Duration MIN_RENEWED_TTL = Duration.ofMillis(30);
    /** The longest ttl: 30 days. */
    public static final Duration MAX_TTL = Duration.ofDays(30);
    /** The shortest retryEvery, holdAtLeast and maxHold: 1 ms. */
    public static final Duration MIN_INTERVAL = Spans.SHORTEST;
    /** The longest retryEvery and maxHold: 365 days. The longest holdAtLeast is {@link #MAX_TTL}. */
    public static final Duration MAX_INTERVAL = Spans.LONGEST;

    private final Duration ttl;
    private final Duration retryEvery;
    private final Duration holdAtLeast;
    private final @Nullable Duration maxHold;
    private final boolean renewed;
    private final boolean signalOnly;

    private LockOptions(Builder builder) {
        ttl = Spans.within("ttl", builder.ttl, MIN_TTL, MAX_TTL);
        retryEvery = Spans.positive("retryEvery", builder.retryEvery);
        holdAtLeast = builder.holdAtLeast == null ? Duration.ZERO : Spans.positive("holdAtLeast", builder.holdAtLeast);
        maxHold = builder.maxHold == null ? null : Spans.positive("maxHold", builder.maxHold);
        renewed = builder.renewed;
        signalOnly = builder.signalOnly;
        Spans.atMost(
                "holdAtLeast", holdAtLeast, "the longest ttl", MAX_TTL, "ttl", ttl, "it is kept as a lease's lifetime");
        if (renewed) {
            requireRenewable();
        }
        if (maxHold != null) {
            Spans.atMost(
                    "holdAtLeast",
                    holdAtLeast,
                    "maxHold",
                    maxHold,
                    "maxHold",
                    maxHold,
                    "a lock cannot be kept for longer than it may be held");
        }
    }

    /** The defaults: a ttl of {@link #DEFAULT_TTL}, renewed in {@code run} and {@code call} only. */
    public static LockOptions defaults() {
        return ofTtl(DEFAULT_TTL).build();
    }

    /** Begins with {@code ttl}, from {@link #MIN_TTL} to {@link #MAX_TTL}. */
    public static Builder ofTtl(Duration ttl) {
        return new Builder(ttl);
    }

    /** How long a lock lasts without a renewal. */
    public Duration ttl() {
        return ttl;
    }

    /** How often a waiter looks when it is not told. */
    public Duration retryEvery() {
        return retryEvery;
    }

    /** How long the name stays taken after it was acquired, even when it is released earlier; zero for not at all. */
    public Duration holdAtLeast() {
        return holdAtLeast;
    }

    /** When even a renewed hold ends; empty for never. */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    /** Whether a bare acquire is renewed too; {@code run} and {@code call} always are. */
    public boolean isRenewed() {
        return renewed;
    }

    /** Whether the body of {@code run} and {@code call} is never interrupted. */
    public boolean isSignalOnly() {
        return signalOnly;
    }

    @Override
    public String toString() {
        return "LockOptions[ttl=" + Spans.text(ttl) + ", retryEvery=" + Spans.text(retryEvery) + ", holdAtLeast="
                + Spans.text(holdAtLeast) + ", maxHold=" + (maxHold == null ? "none" : Spans.text(maxHold))
                + ", renewed=" + renewed + ", signalOnly=" + signalOnly + "]";
    }

    /**
     * Makes sure that holds of this ttl can be renewed.
     *
     * @throws IllegalArgumentException when the ttl is too short to be renewed
     */
    public void requireRenewable() {
        if (ttl.compareTo(MIN_RENEWED_TTL) < 0) {
            throw new IllegalArgumentException(
                    "ttl " + Spans.text(ttl) + " is too short to renew: run, call and renewed() need" + " at least "
                            + Spans.text(MIN_RENEWED_TTL) + ", so that three renewals fit into it");
        }
    }

    /** Collects options; {@link #build()} validates them all, against each other. Not thread-safe. */
    public static final class Builder {
        private final Duration ttl;
        private Duration retryEvery = DEFAULT_RETRY_EVERY;
        private @Nullable Duration holdAtLeast;
        private @Nullable Duration maxHold;
        private boolean renewed;
        private boolean signalOnly;

        private Builder(Duration ttl) {
            this.ttl = Objects.requireNonNull(ttl, "ttl");
        }

        /**
         * How often a waiter looks when it is not told: from {@link #MIN_INTERVAL} to {@link #MAX_INTERVAL};
         * {@link #DEFAULT_RETRY_EVERY} unless set.
         */
        public Builder retryEvery(Duration interval) {
            retryEvery = Objects.requireNonNull(interval, "interval");
            return this;
        }

        /**
         * Keeps the name taken for at least this long after it was acquired, for jobs whose clocks drift apart: from
         * {@link #MIN_INTERVAL} to {@link #MAX_TTL}, and at most {@link #maxHold}. Not at all unless set.
         */
        public Builder holdAtLeast(Duration span) {
            holdAtLeast = Objects.requireNonNull(span, "span");
            return this;
        }

        /**
         * Ends even a renewed hold after this long, as {@link EndReason#MAX_HOLD}: from {@link #MIN_INTERVAL} to
         * {@link #MAX_INTERVAL}. Never unless set.
         */
        public Builder maxHold(Duration span) {
            maxHold = Objects.requireNonNull(span, "span");
            return this;
        }

        /** Renews what a bare acquire got, too. */
        public Builder renewed() {
            renewed = true;
            return this;
        }

        /** Never interrupts the body. */
        public Builder signalOnly() {
            signalOnly = true;
            return this;
        }

        /**
         * The options, once all values were checked against each other.
         *
         * @throws IllegalArgumentException naming the values that do not go together, and why
         */
        public LockOptions build() {
            return new LockOptions(this);
        }
    }
}
