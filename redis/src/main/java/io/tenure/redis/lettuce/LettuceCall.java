package io.tenure.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.StoreException;
import io.tenure.redis.RedisErrors;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a script: by text until the server is known to have it, then by digest, and by text again when the server has
 * forgotten it (docs/decisions/0007). Follows the script's keys to other servers. What was given up is not sent again.
 */
final class LettuceCall extends CompletableFuture<RedisReply> implements BiConsumer<Object, Throwable> {
    private static final int MOST_REDIRECTIONS = 5;

    private final LettuceRoutes routes;
    private final RedisScript script;
    private final byte[][] keys;
    private final byte[][] args;
    private final String server;
    private volatile @Nullable LettuceNode node;
    private volatile @Nullable RedisFuture<Object> sent;
    private int redirections;
    private boolean asking;
    /** Why the server that this is at did not let us ask it for what it is still taking over. */
    private volatile @Nullable RedisCommandExecutionException notAsked;

    /** @param server for messages, until it is known which one it is */
    LettuceCall(LettuceRoutes routes, RedisScript script, byte[][] keys, byte[][] args, String server) {
        this.routes = routes;
        this.script = script;
        this.keys = keys;
        this.args = args;
        this.server = server;
    }

    LettuceCall start() {
        try {
            go(routes.nodeFor(keys));
        } catch (RuntimeException e) {
            completeExceptionally(failure(e, server));
        }
        return this;
    }

    private void go(CompletableFuture<LettuceNode> found) {
        if (found.isDone() && !found.isCompletedExceptionally()) {
            goTo(found.join());
        } else {
            found.whenComplete((next, failure) -> {
                if (failure == null) {
                    goTo(next);
                } else {
                    completeExceptionally(failure(failure, server));
                }
            });
        }
    }

    private void goTo(LettuceNode next) {
        node = next;
        byte[] digest = next.digest(script);
        if (digest == null) {
            sendText(next);
        } else {
            send(next, CommandType.EVALSHA, digest);
        }
    }

    private void sendText(LettuceNode to) {
        send(to, CommandType.EVAL, script.body().getBytes(UTF_8));
    }

    private void send(LettuceNode to, CommandType type, byte[] text) {
        if (isDone()) {
            return;
        }
        to.begin(this);
        try {
            CommandArgs<byte[], byte[]> all = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                    .add(text)
                    .add(keys.length)
                    .addKeys(keys)
                    .addValues(args);
            RedisFuture<Object> command =
                    asking ? to.sendAsking(type, all, refusal -> notAsked = refusal) : to.send(type, all);
            sent = command;
            command.whenComplete(this);
            if (isDone()) {
                command.cancel(true);
            }
        } catch (RuntimeException e) {
            to.end(this);
            completeExceptionally(failure(e, to.toString()));
        }
    }

    @Override
    public void accept(@Nullable Object reply, @Nullable Throwable failure) {
        LettuceNode from = node;
        if (from == null) {
            return; // nothing is sent before a server was found
        }
        from.end(this);
        if (failure == null) {
            from.learn(script);
            complete(RedisReply.of(reply));
        } else if (isDone()) {
            return;
        } else if (failure instanceof RedisNoScriptException) {
            sendText(from);
        } else if (failure instanceof RedisCommandExecutionException) {
            refused(from, String.valueOf(failure.getMessage()));
        } else {
            if (failure instanceof RedisCommandTimeoutException) {
                routes.unanswered(from);
            }
            completeExceptionally(failure(failure, from.toString()));
        }
    }

    private void refused(LettuceNode by, String reply) {
        boolean ask = reply.startsWith("ASK ");
        RedisCommandExecutionException refusal = notAsked;
        if (!ask && !reply.startsWith("MOVED ")) {
            completeExceptionally(routes.refusal(by, reply));
        } else if (refusal != null) {
            // Unasked it sends us back, and so would the old owner: that they do not agree would be the wrong reason.
            completeExceptionally(routes.refusal(by, String.valueOf(refusal.getMessage())));
        } else if (redirections == MOST_REDIRECTIONS) {
            completeExceptionally(StoreException.passing(
                    "The nodes of the cluster do not agree on who has the lease at present, and sent the command on "
                            + redirections + " times; nothing was done [" + reply + "]"));
        } else {
            redirections++;
            asking = ask;
            try {
                go(routes.redirected(reply));
            } catch (RuntimeException e) {
                completeExceptionally(failure(e, server));
            }
        }
    }

    /** The connection is lost, over which this was sent. */
    void broken(Throwable cause) {
        LettuceNode from = node;
        if (from != null) {
            from.end(this);
        }
        completeExceptionally(failure(cause, from == null ? server : from.toString()));
        drop();
    }

    /** A command that waits for a connection is dropped from Lettuce's buffer when its future is done. */
    private void drop() {
        RedisFuture<Object> command = sent;
        if (command != null) {
            command.cancel(true);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        LettuceNode from = node;
        if (cancelled && from != null) {
            from.end(this);
            routes.unanswered(from);
        }
        drop();
        return cancelled;
    }

    static StoreException failure(Throwable failure, String server) {
        Throwable cause = RedisErrors.causeOf(failure);
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
