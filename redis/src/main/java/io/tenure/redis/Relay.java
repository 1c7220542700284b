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

    private Relay(CompletionStage<R> source, String verb, String name, Function<R, T> read) {
        this.source = source;
        this.verb = verb;
        this.name = name;
        this.read = read;
    }

    /** Fails with what was tried: {@code verb 'name'}. */
    static <R, T> Relay<R, T> of(CompletionStage<R> source, String verb, String name, Function<R, T> read) {
        Relay<R, T> relay = new Relay<>(source, verb, name, read);
        source.whenComplete(relay);
        return relay;
    }

    @Override
    public void accept(R reply, Throwable failure) {
        if (failure != null) {
            completeExceptionally(RedisErrors.during(verb + " '" + name + "'", failure));
            return;
        }
        try {
            complete(read.apply(reply));
        } catch (RuntimeException e) {
            completeExceptionally(RedisErrors.during(verb + " '" + name + "'", e));
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        source.toCompletableFuture().cancel(false);
        return cancelled;
    }
}
