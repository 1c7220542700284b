package io.tenure.memory;

import io.tenure.LeaseRecord;
import io.tenure.spi.Claim;
import io.tenure.spi.Takeover;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One lease as the store keeps it.
 *
 * @param incarnation empty for a lease that was not taken by Tenure; its holder is then the whole value
 * @param expiresAt by the store's clock, in nanoseconds
 */
record Holding(String holder, String incarnation, long attempt, long token, long expiresAt) {
    /** The form that a lease of Tenure has on servers that keep text: read from the last '#', since holders may have it. */
    private static final Pattern OWN_FORM =
            Pattern.compile("(.+)#([^#-]+)-([1-9][0-9]{0,17})-([1-9][0-9]{0,15})", Pattern.DOTALL);

    static Holding granted(Claim claim, long token, long expiresAt) {
        return new Holding(claim.holder(), claim.incarnation(), claim.attempt(), token, expiresAt);
    }

    /** A lease that somebody wrote down as {@code value}. */
    static Holding written(String value, long expiresAt) {
        Matcher own = OWN_FORM.matcher(value);
        if (!own.matches()) {
            return new Holding(value, "", 0, 0, expiresAt);
        }
        long attempt = Long.parseLong(own.group(3));
        long token = Long.parseLong(own.group(4));
        return new Holding(own.group(1), own.group(2), attempt, token, expiresAt);
    }

    boolean isOver(long now) {
        return now - expiresAt >= 0;
    }

    /** Whether the very attempt that {@code claim} stands for took this lease. */
    boolean isOf(Claim claim) {
        return !incarnation.isEmpty()
                && holder.equals(claim.holder())
                && incarnation.equals(claim.incarnation())
                && attempt == claim.attempt();
    }

    boolean isWholly(Claim claim) {
        return isOf(claim) && token == claim.token();
    }

    boolean isAsSeen(LeaseRecord seen) {
        return holder.equals(seen.holder())
                && incarnation.equals(seen.incarnation())
                && attempt == seen.attempt()
                && token == seen.token();
    }

    /**
     * Whether {@code claim} may replace this lease. A lower attempt of one incarnation never does: it was abandoned, and
     * came late.
     */
    boolean yieldsTo(Claim claim, Takeover takeover) {
        if (incarnation.isEmpty() || !holder.equals(claim.holder())) {
            return false;
        }
        return incarnation.equals(claim.incarnation())
                ? takeover != Takeover.NONE && attempt < claim.attempt()
                : takeover == Takeover.ANY_INCARNATION;
    }

    Holding lasting(long until) {
        return new Holding(holder, incarnation, attempt, token, until);
    }

    LeaseRecord seen(String name, long now) {
        return LeaseRecord.of(name, holder, incarnation, attempt, token, Duration.ofNanos(expiresAt - now));
    }
}
