package io.tenure.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The answer of a port, translated; cancelling it cancels the command behind it, which a stage that was merely derived
 * would not.
 */
final class Relay<T> extends CompletableFuture<T> implements BiConsumer<RedisReply, Throwable> {
    private final CompletionStage<RedisReply> source;
    private final String verb;
    private final String name;
    private final Function<RedisReply, T> read;

    private Relay(CompletionStage<RedisReply> source, String verb, String name, Function<RedisReply, T> read) {
        this.source = source;
        this.verb = verb;
        this.name = name;
        this.read = read;
    }

    /** Fails with what was tried: {@code verb 'name'}. */
    static <T> Relay<T> of(CompletionStage<RedisReply> source, String verb, String name, Function<RedisReply, T> read) {
        Relay<T> relay = new Relay<>(source, verb, name, read);
        source.whenComplete(relay);
        return relay;
    }

    @Override
    public void accept(RedisReply reply, Throwable failure) {
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
