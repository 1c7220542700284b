package io.tenure.verification.broken;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Each method breaks the rule by the call that it is named after; the nested types do not break it. */
final class AsyncWithoutExecutor {
    /** A stage of somebody's own, as clients have them. */
    interface Answer<T> extends CompletionStage<T> {}

    /** A future that calls itself. */
    static final class Own extends CompletableFuture<String> {
        CompletionStage<String> inherited() {
            return thenApplyAsync(String::strip);
        }
    }

    CompletableFuture<Void> runAsync(Runnable work) {
        return CompletableFuture.runAsync(work);
    }

    CompletableFuture<String> supplyAsync() {
        return CompletableFuture.supplyAsync(() -> "");
    }

    CompletableFuture<String> completeAsync(CompletableFuture<String> future) {
        return future.completeAsync(() -> "");
    }

    CompletionStage<String> thenApplyAsync(CompletionStage<String> stage) {
        return stage.thenApplyAsync(String::strip);
    }

    CompletionStage<Void> thenAcceptAsync(CompletionStage<String> stage) {
        return stage.thenAcceptAsync(value -> {});
    }

    CompletionStage<Void> thenRunAsync(CompletionStage<String> stage) {
        return stage.thenRunAsync(() -> {});
    }

    CompletionStage<String> thenCombineAsync(CompletionStage<String> stage) {
        return stage.thenCombineAsync(stage, String::concat);
    }

    CompletionStage<Void> thenAcceptBothAsync(CompletionStage<String> stage) {
        return stage.thenAcceptBothAsync(stage, (one, other) -> {});
    }

    CompletionStage<Void> runAfterBothAsync(CompletionStage<String> stage) {
        return stage.runAfterBothAsync(stage, () -> {});
    }

    CompletionStage<String> applyToEitherAsync(CompletionStage<String> stage) {
        return stage.applyToEitherAsync(stage, String::strip);
    }

    CompletionStage<Void> acceptEitherAsync(CompletionStage<String> stage) {
        return stage.acceptEitherAsync(stage, value -> {});
    }

    CompletionStage<Void> runAfterEitherAsync(CompletionStage<String> stage) {
        return stage.runAfterEitherAsync(stage, () -> {});
    }

    CompletionStage<String> thenComposeAsync(CompletionStage<String> stage) {
        return stage.thenComposeAsync(CompletableFuture::completedFuture);
    }

    CompletionStage<String> handleAsync(CompletionStage<String> stage) {
        return stage.handleAsync((value, failure) -> value);
    }

    CompletionStage<String> whenCompleteAsync(CompletionStage<String> stage) {
        return stage.whenCompleteAsync((value, failure) -> {});
    }

    CompletionStage<String> exceptionallyAsync(CompletionStage<String> stage) {
        return stage.exceptionallyAsync(Throwable::toString);
    }

    CompletionStage<String> exceptionallyComposeAsync(CompletionStage<String> stage) {
        return stage.exceptionallyComposeAsync(CompletableFuture::failedFuture);
    }

    CompletableFuture<String> orTimeout(CompletableFuture<String> future) {
        return future.orTimeout(1, TimeUnit.SECONDS);
    }

    CompletableFuture<String> completeOnTimeout(CompletableFuture<String> future) {
        return future.completeOnTimeout("", 1, TimeUnit.SECONDS);
    }

    Executor delayedExecutor() {
        return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
    }

    Executor delayedExecutorOn(Executor executor) {
        return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, executor);
    }

    Executor defaultExecutor(CompletableFuture<String> future) {
        return future.defaultExecutor();
    }

    CompletionStage<String> typedByFuture(CompletableFuture<String> future) {
        return future.thenApplyAsync(String::strip);
    }

    CompletionStage<String> typedByAnother(Answer<String> answer) {
        return answer.thenApplyAsync(String::strip);
    }

    Function<Runnable, CompletableFuture<Void>> referenced() {
        return CompletableFuture::runAsync;
    }

    BiFunction<CompletionStage<String>, Function<String, String>, CompletionStage<String>> referencedStage() {
        return CompletionStage::thenApplyAsync;
    }

    Runnable insideALambda(CompletionStage<String> stage) {
        return () -> stage.thenRunAsync(() -> {});
    }

    /** What the rule leaves alone. */
    static final class Allowed {
        CompletionStage<String> onAnExecutor(CompletionStage<String> stage, Executor executor) {
            return stage.thenApplyAsync(String::strip, executor);
        }

        CompletableFuture<Void> startedOnAnExecutor(Executor executor) {
            return CompletableFuture.runAsync(() -> {}, executor);
        }

        CompletionStage<String> onTheCaller(CompletionStage<String> stage) {
            return stage.thenApply(String::strip);
        }
    }
}
