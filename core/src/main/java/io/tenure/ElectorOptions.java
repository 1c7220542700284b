package io.tenure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link Elector} behaves. Immutable. All durations count in milliseconds; fractions are truncated.
 */
public final class ElectorOptions {
    /** How long a term lasts without a renewal, unless said otherwise: 5 s. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(5);
    /** The shortest ttl: 100 ms. */
    public static final Duration MIN_TTL = Duration.ofMillis(100);
    /** The longest ttl: 30 days. */
    public static final Duration MAX_TTL = Duration.ofDays(30);
    /** The shortest renewEvery, retryEvery and drainTimeout: 1 ms. */
    public static final Duration MIN_INTERVAL = Spans.SHORTEST;
    /** The longest drainTimeout: 365 days. */
    public static final Duration MAX_DRAIN_TIMEOUT = Spans.LONGEST;
    /** The default of renewEvery, in hundredths of the ttl: 32, so that the third renewal still falls before its end. */
    public static final int DEFAULT_RENEW_PERCENT = 32;
    /** The default of retryEvery, in hundredths of the ttl: 50. */
    public static final int DEFAULT_RETRY_PERCENT = 50;

    private final Duration ttl;
    private final Duration renewEvery;
    private final Duration retryEvery;
    private final Duration drainTimeout;
    private final List<Fence> claims;
    private final boolean signalOnly;

    private ElectorOptions(Builder builder) {
        ttl = Spans.within("ttl", builder.ttl, MIN_TTL, MAX_TTL);
        renewEvery = builder.renewEvery == null
                ? Spans.percent(DEFAULT_RENEW_PERCENT, ttl)
                : Spans.positive("renewEvery", builder.renewEvery);
        retryEvery = builder.retryEvery == null
                ? Spans.percent(DEFAULT_RETRY_PERCENT, ttl)
                : Spans.positive("retryEvery", builder.retryEvery);
        drainTimeout = builder.drainTimeout == null ? ttl : Spans.positive("drainTimeout", builder.drainTimeout);
        claims = List.copyOf(builder.claims);
        signalOnly = builder.signalOnly;
        Spans.atMost(
                "renewEvery",
                renewEvery,
                "half of ttl",
                ttl.dividedBy(2),
                "ttl",
                ttl,
                "two renewals have to fit before the lease expires");
        Spans.below("retryEvery", retryEvery, "ttl", ttl, "a follower has to look at least once in a ttl");
    }

    /** The defaults: a ttl of {@link #DEFAULT_TTL}. */
    public static ElectorOptions defaults() {
        return ofTtl(DEFAULT_TTL).build();
    }

    /** Begins with {@code ttl}, from {@link #MIN_TTL} to {@link #MAX_TTL}; what is not set is derived from it. */
    public static Builder ofTtl(Duration ttl) {
        return new Builder(ttl);
    }

    /** How long a term lasts without a renewal. Shorter fails over faster and forgives shorter pauses. */
    public Duration ttl() {
        return ttl;
    }

    /** How often a leader renews; from {@link #MIN_INTERVAL} to half of the ttl. */
    public Duration renewEvery() {
        return renewEvery;
    }

    /**
     * How often a follower looks when it is not told; also the hold-off after a voluntary end. From {@link #MIN_INTERVAL} to
     * below the ttl.
     */
    public Duration retryEvery() {
        return retryEvery;
    }

    /**
     * How long the work may take to end after its term has, and how long all its claims together may take; from
     * {@link #MIN_INTERVAL} to {@link #MAX_DRAIN_TIMEOUT}. When the work takes longer the lease is released all the same, with
     * its token burnt.
     */
    public Duration drainTimeout() {
        return drainTimeout;
    }

    /** The fences to claim before the work of a term starts, in order. */
    public List<Fence> claims() {
        return claims;
    }

    /** Whether the work is left to look at {@link Lease#isHeld()} or {@link Lease#ended()} instead of being interrupted. */
    public boolean isSignalOnly() {
        return signalOnly;
    }

    @Override
    public String toString() {
        return "ElectorOptions[ttl=" + Spans.text(ttl) + ", renewEvery=" + Spans.text(renewEvery) + ", retryEvery="
                + Spans.text(retryEvery) + ", drainTimeout=" + Spans.text(drainTimeout) + ", claims=" + claims
                + ", signalOnly=" + signalOnly + "]";
    }

    /** Collects options; {@link #build()} validates them all, against each other. Not thread-safe. */
    public static final class Builder {
        private final Duration ttl;
        private @Nullable Duration renewEvery;
        private @Nullable Duration retryEvery;
        private @Nullable Duration drainTimeout;
        private final List<Fence> claims = new ArrayList<>();
        private boolean signalOnly;

        private Builder(Duration ttl) {
            this.ttl = Objects.requireNonNull(ttl, "ttl");
        }

        /**
         * How often a leader renews: from {@link #MIN_INTERVAL} to half of the ttl; {@link #DEFAULT_RENEW_PERCENT} hundredths
         * of the ttl unless set.
         */
        public Builder renewEvery(Duration interval) {
            renewEvery = Objects.requireNonNull(interval, "interval");
            return this;
        }

        /**
         * How often a follower looks when it is not told: from {@link #MIN_INTERVAL} to below the ttl;
         * {@link #DEFAULT_RETRY_PERCENT} hundredths of the ttl unless set.
         */
        public Builder retryEvery(Duration interval) {
            retryEvery = Objects.requireNonNull(interval, "interval");
            return this;
        }

        /**
         * How long work may take to end after its term has, and claims to be made: from {@link #MIN_INTERVAL} to
         * {@link #MAX_DRAIN_TIMEOUT}; the ttl unless set.
         */
        public Builder drainTimeout(Duration timeout) {
            drainTimeout = Objects.requireNonNull(timeout, "timeout");
            return this;
        }

        /**
         * Fences of other systems, claimed for every new term before its work starts. A claim that fails, or has not ended
         * within {@link #drainTimeout} and is interrupted then, ends the term as {@link EndReason#WORK_FAILED}.
         */
        public Builder claims(Fence... fences) {
            claims.addAll(List.of(fences));
            return this;
        }

        /** Never interrupts the work; claims are not part of it. */
        public Builder signalOnly() {
            signalOnly = true;
            return this;
        }

        /**
         * The options, once all values were checked against each other.
         *
         * @throws IllegalArgumentException naming the values that do not go together, and why
         */
        public ElectorOptions build() {
            return new ElectorOptions(this);
        }
    }
}
