package io.tenure.redis.lettuce;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.util.Map;
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
    private final Map<RedisScript, byte[]> known;
    private volatile @Nullable RedisFuture<Object> sent;

    LettuceCall(
            RedisAsyncCommands<byte[], byte[]> commands,
            RedisScript script,
            byte[][] keys,
            byte[][] args,
            String server,
            Map<RedisScript, byte[]> known) {
        this.commands = commands;
        this.script = script;
        this.keys = keys;
        this.args = args;
        this.server = server;
        this.known = known;
    }

    LettuceCall start() {
        try {
            byte[] digest = known.get(script);
            await(digest == null ? byText() : send(CommandType.EVALSHA, digest));
        } catch (RuntimeException e) {
            completeExceptionally(failure(e, server));
        }
        return this;
    }

    private RedisFuture<Object> byText() {
        return send(CommandType.EVAL, script.body().getBytes(UTF_8));
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
            if (!known.containsKey(script)) {
                known.put(script, script.sha().getBytes(ISO_8859_1));
            }
            complete(RedisReply.of(reply));
        } else if (failure instanceof RedisNoScriptException && !isDone()) {
            try {
                await(byText());
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
