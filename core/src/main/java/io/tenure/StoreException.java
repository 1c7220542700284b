package io.tenure;

import java.util.Objects;

/**
 * The store could not do what it was asked, or did not answer in time. After one that {@linkplain #isTransient() is
 * transient} the request may or may not have been carried out; a permanent one wrote nothing, unless the
 * method that throws it says otherwise. Messages never contain credentials. Immutable.
 */
public sealed class StoreException extends TenureException permits NotAcknowledgedException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    private enum Kind {
        TRANSIENT,
        PERMANENT
    }

    private StoreException(Kind kind, String message) {
        super(Objects.requireNonNull(message, "message"));
        this.kind = kind;
    }

    /** A transient one of a kind of its own. */
    StoreException(String message) {
        this(Kind.TRANSIENT, message);
    }

    /** A transient one of a kind of its own. */
    StoreException(String message, Throwable cause) {
        this(Kind.TRANSIENT, message, cause);
    }

    private StoreException(Kind kind, String message, Throwable cause) {
        super(Objects.requireNonNull(message, "message"), cause);
        this.kind = kind;
    }

    /** A failure that may pass by itself: a time-out, a lost connection, a server that is loading or failing over. */
    public static StoreException passing(String message) {
        return new StoreException(Kind.TRANSIENT, message);
    }

    /** A failure that may pass by itself, with its cause. */
    public static StoreException passing(String message, Throwable cause) {
        return new StoreException(Kind.TRANSIENT, message, cause);
    }

    /** A failure that stays until somebody mends the set-up: permissions, credentials, a wrong slot, a missing table. */
    public static StoreException permanent(String message) {
        return new StoreException(Kind.PERMANENT, message);
    }

    /** A failure that stays until somebody mends the set-up, with its cause. */
    public static StoreException permanent(String message, Throwable cause) {
        return new StoreException(Kind.PERMANENT, message, cause);
    }

    /** The same failure in other words, with this one as its cause: of the same kind, and with the same data. */
    public StoreException retold(String message) {
        return new StoreException(kind, message, this);
    }

    /** Whether trying again can help without anybody mending anything. */
    public boolean isTransient() {
        return kind == Kind.TRANSIENT;
    }
}
