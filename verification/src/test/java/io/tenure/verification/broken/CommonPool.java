package io.tenure.verification.broken;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

final class CommonPool {
    CompletableFuture<Void> start(Runnable work) {
        return CompletableFuture.runAsync(work);
    }

    CompletionStage<String> follow(CompletionStage<String> stage) {
        return stage.thenApplyAsync(String::strip);
    }

    Function<Runnable, CompletableFuture<Void>> refer() {
        return CompletableFuture::runAsync;
    }

    CompletableFuture<String> timeOut(CompletableFuture<String> future) {
        return future.orTimeout(1, TimeUnit.SECONDS);
    }

    Executor pool() {
        return ForkJoinPool.commonPool();
    }

    long count(List<String> list) {
        return list.parallelStream().count();
    }

    CompletionStage<String> onAnExecutor(CompletionStage<String> stage, Executor executor) {
        return stage.thenApplyAsync(String::strip, executor);
    }

    CompletionStage<String> onTheCaller(CompletionStage<String> stage) {
        return stage.thenApply(String::strip);
    }
}
