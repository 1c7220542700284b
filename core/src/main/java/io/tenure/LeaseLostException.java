package io.tenure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * The lease is no longer held, so what was done under it can no longer be trusted to have been exclusive; or it is held,
 * but for less than was asked for. Immutable.
 */
public final class LeaseLostException extends TenureException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final long token;
    private final EndReason reason;

    /** For a lease of {@code name} with {@code token} that ended for {@code reason}. */
    public LeaseLostException(String name, long token, EndReason reason) {
        super("The lease '" + name + "' with token " + token + " is no longer held: " + reason
                + ". Stop working under it; fenced writes with this token are refused once there is a successor.");
        this.name = Objects.requireNonNull(name, "name");
        this.token = token;
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    private LeaseLostException(String name, long token, String message) {
        super(message);
        this.name = name;
        this.token = token;
        this.reason = EndReason.EXPIRED;
    }

    /** For a lease that is held, but not for as long as a step that cannot be undone needs. */
    public static LeaseLostException tooShort(String name, long token, Duration remaining, Duration needed) {
        return new LeaseLostException(
                name,
                token,
                "The lease '" + name + "' with token " + token + " is held for "
                        + Spans.text(remaining.truncatedTo(ChronoUnit.MILLIS))
                        + " more unless renewed, less than the " + Spans.text(needed)
                        + " that were asked for. Do not begin"
                        + " what cannot be undone.");
    }

    /** The name of the lease. */
    public String name() {
        return name;
    }

    /** The token of the lost lease. */
    public long token() {
        return token;
    }

    /** Why it ended. */
    public EndReason reason() {
        return reason;
    }
}
