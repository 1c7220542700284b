package io.tenure.testkit;

import static org.assertj.core.api.Assertions.fail;

import io.tenure.StoreException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the answers of a store, each for a bounded time. */
final class Answers {
    static final long PATIENCE_SECONDS = 20;

    private Answers() {}

    static <T> T of(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("The store failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("The store did not answer within " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The failure of a stage, which can only be a {@link StoreException}. */
    static StoreException failureOf(CompletionStage<?> stage) {
        try {
            return fail(
                    "The store should have failed, but answered %s",
                    stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException refusal) {
                return refusal;
            }
            throw new AssertionError("A store fails with StoreException only", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("The store did not answer within " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
