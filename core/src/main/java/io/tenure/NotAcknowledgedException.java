package io.tenure;

/**
 * The store did it, but fewer replicas than were asked for had it in time: a fail-over might lose it. Transient. A lease
 * that was not acknowledged has been released again; a write stays, where its store does not say otherwise. Immutable.
 */
public final class NotAcknowledgedException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final int wanted;
    private final int acknowledged;

    /** For something that {@code acknowledged} replicas have, of the {@code wanted} ones. */
    public NotAcknowledgedException(String message, int wanted, int acknowledged) {
        super(message);
        this.wanted = wanted;
        this.acknowledged = acknowledged;
    }

    private NotAcknowledgedException(String message, NotAcknowledgedException cause) {
        super(message, cause);
        this.wanted = cause.wanted;
        this.acknowledged = cause.acknowledged;
    }

    @Override
    public NotAcknowledgedException retold(String message) {
        return new NotAcknowledgedException(message, this);
    }

    /** How many replicas were to have it. */
    public int wanted() {
        return wanted;
    }

    /** How many had it when the time was up. */
    public int acknowledged() {
        return acknowledged;
    }
}
