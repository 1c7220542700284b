package io.tenure.tool.demo;

/**
 * A lease as the server has it at one moment of its own clock.
 *
 * @param micros the server's time, in microseconds
 * @param left how long it would last without a renewal, in milliseconds; negative when there is none
 * @param value what tells one claim from another; empty when there is none
 */
public record Sighting(long micros, long left, String value) {

    public boolean isHeld() {
        return !value.isEmpty();
    }

    /** Whether somebody has it, by another claim than {@code earlier}'s. */
    boolean isHeldOtherwiseThan(Sighting earlier) {
        return isHeld() && !value.equals(earlier.value);
    }

    /** When it expires, by the server's clock in milliseconds; exact to one. */
    public long expiry() {
        return micros / 1000 + left;
    }

    /** How long after {@code earlier}'s expiry this was seen, in milliseconds. */
    double after(Sighting earlier) {
        return micros / 1000.0 - earlier.expiry();
    }
}
