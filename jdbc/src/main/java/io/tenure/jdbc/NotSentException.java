package io.tenure.jdbc;

import java.sql.SQLException;

/** What failed before anything was sent, most likely since there was no connection to be had. Says what its cause says. */
final class NotSentException extends SQLException {
    private static final long serialVersionUID = 1L;

    private NotSentException(String message, Exception cause) {
        super(message, cause);
    }

    NotSentException(String message) {
        super(message);
    }

    static NotSentException of(Exception cause) {
        return cause instanceof NotSentException known
                ? known
                : new NotSentException(
                        cause instanceof SQLException ? String.valueOf(cause.getMessage()) : cause.toString(), cause);
    }
}
