package io.tenure;

/**
 * The parent of everything that Tenure throws on its own account; misuse is an {@link IllegalArgumentException} or an
 * {@link IllegalStateException} instead. Unchecked; cannot be extended elsewhere.
 */
public abstract class TenureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TenureException(String message) {
        super(message);
    }

    TenureException(String message, Throwable cause) {
        super(message, cause);
    }
}
