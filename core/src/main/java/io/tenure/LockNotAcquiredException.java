package io.tenure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lock was held by somebody else for as long as the caller was willing to wait; nothing has run. Immutable. */
public final class LockNotAcquiredException extends TenureException {
    private static final long serialVersionUID = 1L;
    private static final String ADVICE =
            "To wait for it, call run(Duration, ...) or tryAcquire(Duration); to skip this run, runIfFree.";

    private final String name;
    private final transient @Nullable LeaseRecord current;

    /** For a lock that {@code current} has. */
    public LockNotAcquiredException(LeaseRecord current) {
        super("The lock '" + current.name() + "' is held by '" + current.holder() + "' (token " + current.token()
                + ", expires in " + current.remaining().toMillis()
                + " ms unless renewed). " + ADVICE);
        this.name = current.name();
        this.current = current;
    }

    /** For a lock whose holder is not known, since others of this process wait for it already. */
    public LockNotAcquiredException(String name) {
        super("The lock '" + name + "' was not acquired: others in this process are waiting for it. " + ADVICE);
        this.name = name;
        this.current = null;
    }

    /** The name of the lock. */
    public String name() {
        return name;
    }

    /** Who had the lock when it was last asked for; empty when the store was not asked, and after deserialization. */
    public Optional<LeaseRecord> current() {
        return Optional.ofNullable(current);
    }
}
