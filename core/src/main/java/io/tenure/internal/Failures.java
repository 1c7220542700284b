package io.tenure.internal;

import io.tenure.StoreException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** What a stage failed with, as the engine sees it. */
final class Failures {
    private Failures() {}

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wrapper = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wrapper && cause != null ? unwrapped(cause) : failure;
    }

    /** A store fails with {@link StoreException} only; whatever else comes out of one is taken for passing trouble. */
    static StoreException ofStore(String name, @Nullable Throwable failure) {
        if (failure == null) {
            return StoreException.permanent(
                    "The store answered nothing for '" + name + "': its implementation is broken");
        }
        Throwable cause = unwrapped(failure);
        return cause instanceof StoreException known
                ? known
                : StoreException.passing("The store failed for '" + name + "': " + cause, cause);
    }
}
