package io.tenure.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The answer of a port, translated; cancelling it cancels the command behind it, which a stage that was merely derived
 * would not.
 */
final class Relay<R, T> extends CompletableFuture<T> implements BiConsumer<R, Throwable> {
    private final CompletionStage<R> source;
    private final String verb;
    private final String name;
    private final Function<R, T> read;
    private final Runnable onFailure;

    private Relay(CompletionStage<R> source, String verb, String name, Function<R, T> read, Runnable onFailure) {
        this.source = source;
        this.verb = verb;
        this.name = name;
        this.read = read;
        this.onFailure = onFailure;
    }

    /** Fails with what was tried: {@code verb 'name'}. */
    static <R, T> Relay<R, T> of(CompletionStage<R> source, String verb, String name, Function<R, T> read) {
        return of(source, verb, name, read, () -> {});
    }

    /** @param onFailure told before whoever waits, when there is no answer or nobody waits for it any more */
    static <R, T> Relay<R, T> of(
            CompletionStage<R> source, String verb, String name, Function<R, T> read, Runnable onFailure) {
        Relay<R, T> relay = new Relay<>(source, verb, name, read, onFailure);
        source.whenComplete(relay);
        return relay;
    }

    @Override
    public void accept(R reply, Throwable failure) {
        if (failure != null) {
            fail(failure);
            return;
        }
        try {
            complete(read.apply(reply));
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void fail(Throwable failure) {
        if (!isDone()) {
            onFailure.run();
        }
        completeExceptionally(RedisErrors.during(verb + " '" + name + "'", failure));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!isDone()) {
            onFailure.run();
        }
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        source.toCompletableFuture().cancel(false);
        return cancelled;
    }
}
