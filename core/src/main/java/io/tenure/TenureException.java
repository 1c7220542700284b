package io.tenure;

/** The parent of everything that Tenure throws on its own account. Unchecked. */
public abstract class TenureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TenureException(String message) {
        super(message);
    }

    TenureException(String message, Throwable cause) {
        super(message, cause);
    }
}
