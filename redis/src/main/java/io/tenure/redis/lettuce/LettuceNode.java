package io.tenure.redis.lettuce;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.tenure.redis.RedisScript;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One server over one connection: the scripts that it is known to have, and the calls that it has not answered.
 *
 * <p>A call whose connection is lost is failed then and there. Left to the client, it would hang until there is a connection
 * again, or be sent once more over that one, by when its lease may be somebody else's.
 */
final class LettuceNode implements RedisConnectionStateListener {
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final String address;
    /** What the server has in its cache, as far as this connection has seen, with the digests. */
    private final Map<RedisScript, byte[]> known = new ConcurrentHashMap<>();

    private final Set<LettuceCall> underWay = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<LettuceNode> itself = CompletableFuture.completedFuture(this);
    private final AtomicReference<Trust> trust = new AtomicReference<>(Trust.FULL);

    private enum Trust {
        FULL,
        /** Something was not answered in time. */
        DOUBTED,
        /** And a question is under way whether anything is. */
        ASKED
    }

    /** @param address for messages */
    LettuceNode(StatefulRedisConnection<byte[], byte[]> connection, String address) {
        this.connection = connection;
        this.address = address;
        connection.addListener(this);
    }

    /** Whether this is the server over {@code other}. */
    @SuppressWarnings("ReferenceEquality") // a connection is itself, and no other to the same server
    boolean isOver(StatefulRedisConnection<byte[], byte[]> other) {
        return connection == other;
    }

    CompletableFuture<LettuceNode> itself() {
        return itself;
    }

    boolean isConnected() {
        return connection.isOpen();
    }

    /** A call was given up that was not answered. */
    void doubt() {
        trust.compareAndSet(Trust.FULL, Trust.DOUBTED);
    }

    /** Whether it is connected and, if that was in doubt, has answered since; if not, it is asked. */
    boolean isTrusted() {
        if (isConnected() && trust.compareAndSet(Trust.DOUBTED, Trust.ASKED)) {
            connection
                    .async()
                    .ping()
                    .whenComplete((pong, failure) -> trust.set(failure == null ? Trust.FULL : Trust.DOUBTED));
        }
        return isConnected() && trust.get() == Trust.FULL;
    }

    StatefulRedisConnection<byte[], byte[]> connection() {
        return connection;
    }

    /** Whether it has run a script since it was connected. */
    boolean hasAnswered() {
        return !known.isEmpty();
    }

    RedisAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    /** The digest of a script that the server is known to have. */
    byte @Nullable [] digest(RedisScript script) {
        return known.get(script);
    }

    void learn(RedisScript script) {
        if (!known.containsKey(script)) {
            known.put(script, script.sha().getBytes(ISO_8859_1));
        }
    }

    void begin(LettuceCall call) {
        underWay.add(call);
    }

    void end(LettuceCall call) {
        underWay.remove(call);
    }

    RedisFuture<Object> send(CommandType type, CommandArgs<byte[], byte[]> args) {
        return connection.async().dispatch(type, new LettuceReply(), args);
    }

    /**
     * Sends to a server that is still taking the slot over; in one write, or other commands would come between the two.
     *
     * @param refused told, before the command is answered, when the server does not let us ask
     */
    RedisFuture<Object> sendAsking(
            CommandType type, CommandArgs<byte[], byte[]> args, Consumer<RedisCommandExecutionException> refused) {
        AsyncCommand<byte[], byte[], Object> command =
                new AsyncCommand<>(new Command<>(type, new LettuceReply(), args));
        AsyncCommand<byte[], byte[], String> asking = new AsyncCommand<>(new Command<>(
                CommandType.ASKING,
                new StatusOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE)));
        asking.whenComplete((asked, failure) -> {
            if (failure instanceof RedisCommandExecutionException refusal) {
                refused.accept(refusal);
            }
        });
        connection.dispatch(List.of(asking, command));
        return command;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
        trust.set(Trust.FULL);
        known.clear(); // the next server may be another, or have been started again
        // Those of this moment: what is run once one of them has failed belongs to the next connection.
        List.copyOf(underWay)
                .forEach(call -> call.broken(new RedisException("The connection broke before the answer came")));
    }

    @Override
    public String toString() {
        return address;
    }
}
