package io.tenure.redis.lettuce;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A connection of a client, and where it leads, which the client tells only while it connects.
 *
 * @param address host and port; empty when it was not told
 */
record LettuceOpened<C>(C connection, String address) {
    private static final int HANDSHAKES = 4;

    /** Connects; blocks. */
    static <C> LettuceOpened<C> by(AbstractRedisClient client, Supplier<C> connecting) {
        LettuceConnections connections = new LettuceConnections();
        client.addListener(connections);
        try {
            C connection = connect(connecting);
            return new LettuceOpened<>(connection, connections.address(connection, ""));
        } finally {
            client.removeListener(connections);
        }
    }

    /** Does something that blocks, once, on a thread of its own: a client that does not tell its URI connects no other way. */
    static <T> CompletionStage<T> inBackground(String what, Supplier<T> blocking) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        done.complete(blocking.get());
                    } catch (RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                },
                what);
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    /**
     * Connects. A refusal during the handshake now and then arrives as a bare end of the connection, when the end overtakes
     * the reason; asked again, the server tells it.
     */
    private static <C> C connect(Supplier<C> connecting) {
        for (int handshake = 1; ; handshake++) {
            try {
                return connecting.get();
            } catch (RedisException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                if (handshake == HANDSHAKES
                        || !String.valueOf(cause.getMessage()).contains("closed prematurely")) {
                    throw e;
                }
            }
        }
    }
}
