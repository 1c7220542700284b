package io.tenure.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.StoreException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a script: by text until the server is known to have it, then by digest, and by text again when the server has
 * forgotten it (docs/decisions/0007).
 */
final class LettuceCall extends CompletableFuture<RedisReply> implements BiConsumer<Object, Throwable> {
    private final RedisAsyncCommands<byte[], byte[]> commands;
    private final RedisScript script;
    private final byte[][] keys;
    private final byte[][] args;
    private final String server;
    private final Set<RedisScript> known;
    private volatile @Nullable RedisFuture<Object> sent;

    LettuceCall(
            RedisAsyncCommands<byte[], byte[]> commands,
            RedisScript script,
            byte[][] keys,
            byte[][] args,
            String server,
            Set<RedisScript> known) {
        this.commands = commands;
        this.script = script;
        this.keys = keys;
        this.args = args;
        this.server = server;
        this.known = known;
    }

    LettuceCall start() {
        try {
            await(
                    known.contains(script)
                            ? send(CommandType.EVALSHA, script.shaBytes())
                            : send(CommandType.EVAL, script.bytes()));
        } catch (RuntimeException e) {
            completeExceptionally(failure(e, server));
        }
        return this;
    }

    private RedisFuture<Object> send(CommandType type, byte[] text) {
        return commands.dispatch(
                type,
                new LettuceReply(),
                new CommandArgs<>(ByteArrayCodec.INSTANCE)
                        .add(text)
                        .add(keys.length)
                        .addKeys(keys)
                        .addValues(args));
    }

    private void await(RedisFuture<Object> command) {
        sent = command;
        command.whenComplete(this);
        if (isCancelled()) {
            command.cancel(true);
        }
    }

    @Override
    public void accept(@Nullable Object reply, @Nullable Throwable failure) {
        if (failure == null) {
            if (!known.contains(script)) {
                known.add(script);
            }
            complete(RedisReply.of(reply));
        } else if (failure instanceof RedisNoScriptException && !isDone()) {
            try {
                await(send(CommandType.EVAL, script.bytes()));
            } catch (RuntimeException e) {
                completeExceptionally(failure(e, server));
            }
        } else {
            completeExceptionally(failure(failure, server));
        }
    }

    /** A command that waits for a connection is dropped from Lettuce's buffer when its future is done. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        RedisFuture<Object> command = sent;
        if (command != null) {
            command.cancel(true);
        }
        return cancelled;
    }

    static StoreException failure(Throwable failure, String server) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreException store) {
            return store;
        }
        if (cause instanceof RedisCommandTimeoutException) {
            return RedisErrors.timedOut(server, cause);
        }
        if (cause instanceof RedisCommandExecutionException) {
            return RedisErrors.ofReply(String.valueOf(cause.getMessage()));
        }
        return RedisErrors.lost(server, cause);
    }
}
