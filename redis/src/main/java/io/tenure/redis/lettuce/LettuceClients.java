package io.tenure.redis.lettuce;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.tenure.redis.RedisPort;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Opens clients of Lettuce's for leases, and takes the application's. Thread-safe, without state. */
public final class LettuceClients {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LEAST_RECONNECT_DELAY = Duration.ofMillis(5);
    private static final Duration MOST_RECONNECT_DELAY = Duration.ofSeconds(1);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(1);
    private static final String GIVEN = "the server of the given Lettuce client";
    private static final int HANDSHAKES = 4;
    private static final Set<String> OURS = Set.of("EVAL", "EVALSHA", "SCAN");

    private LettuceClients() {}

    /** A port over a client of the application's, which stays open. */
    public static RedisPort port(RedisClient client) {
        LettuceConnections connections = new LettuceConnections();
        client.addListener(connections);
        try {
            StatefulRedisConnection<byte[], byte[]> connection = open(client);
            String server = connections.address(connection, GIVEN);
            return new LettucePort(
                    connection,
                    () -> aside("subscribe", () -> client.connectPubSub(ByteArrayCodec.INSTANCE)),
                    () -> aside("acknowledge", () -> client.connect(ByteArrayCodec.INSTANCE)),
                    server,
                    () -> {});
        } catch (RuntimeException e) {
            throw LettuceFailures.unreachable(GIVEN, "its command time-out", e);
        } finally {
            client.removeListener(connections);
        }
    }

    /** A port over a client of its own, with settings made for leases. */
    public static RedisPort connect(String uri) {
        RedisURI target = parse(uri);
        String server = describe(target);
        // Two is the least that Lettuce accepts, and leases are little work.
        ClientResources resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(reconnectDelay())
                .build();
        RedisClient client = RedisClient.create(resources, target);
        LettuceConnections connections = new LettuceConnections();
        client.addListener(connections);
        boolean connected = false;
        try {
            client.setOptions(options());
            StatefulRedisConnection<byte[], byte[]> connection = open(client);
            connected = true;
            return new LettucePort(
                    connection,
                    () -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, target),
                    () -> client.connectAsync(ByteArrayCodec.INSTANCE, target),
                    server,
                    () -> shutDown(client, resources, connections));
        } catch (RuntimeException e) {
            String untested = target.getSentinels().isEmpty() ? "" : " (sentinels are accepted, but not tested yet)";
            String within = target.getTimeout().toMillis() + " ms, which the parameter timeout of the URL sets";
            throw LettuceFailures.unreachable(server + untested, within, e);
        } finally {
            if (!connected) {
                shutDown(client, resources, connections);
            }
        }
    }

    /** A client does not tell its URI, without which it connects only by blocking: once, on a thread of its own. */
    private static <C> CompletionStage<C> aside(String purpose, Supplier<C> connect) {
        CompletableFuture<C> opened = new CompletableFuture<>();
        Thread opener = new Thread(
                () -> {
                    try {
                        opened.complete(connect.get());
                    } catch (RuntimeException e) {
                        opened.completeExceptionally(e);
                    }
                },
                "tenure-redis-" + purpose);
        opener.setDaemon(true);
        opener.start();
        return opened;
    }

    private static ClientOptions options() {
        SocketOptions.Builder socket = SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT);
        LettuceKeepAlive.set(socket);
        ClientOptions.Builder options = ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(LettuceClients::failOurs)
                .timeoutOptions(TimeoutOptions.enabled())
                .socketOptions(socket.build());
        try {
            LettuceMaintenance.ignore(options);
        } catch (NoClassDefFoundError e) {
            // Lettuce 6 has no such notices to ignore.
            return options.build();
        }
        return options.build();
    }

    /**
     * Keeps Lettuce from sending a script again after a reconnection: its lease may be somebody else's by then. Filtering
     * alone would leave the command hanging until its time-out, so it is failed here.
     */
    private static boolean failOurs(RedisCommand<?, ?, ?> command) {
        if (!OURS.contains(command.getType().toString())) {
            return false;
        }
        command.completeExceptionally(new RedisException("The connection broke before the answer came"));
        return true;
    }

    /**
     * Connects. A refusal during the handshake now and then arrives as a bare end of the connection, when the end overtakes
     * the reason; asked again, the server tells it.
     */
    private static StatefulRedisConnection<byte[], byte[]> open(RedisClient client) {
        for (int handshake = 1; ; handshake++) {
            try {
                return client.connect(ByteArrayCodec.INSTANCE);
            } catch (RedisException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                if (handshake == HANDSHAKES
                        || !String.valueOf(cause.getMessage()).contains("closed prematurely")) {
                    throw e;
                }
            }
        }
    }

    /**
     * Up to a second, at random: waiters learn of releases again soon after a server is back, and many processes do not
     * come in step. Lettuce's own goes up to half a minute, which is longer than most leases last.
     */
    static Delay reconnectDelay() {
        return Delay.fullJitter(LEAST_RECONNECT_DELAY, MOST_RECONNECT_DELAY, 20, TimeUnit.MILLISECONDS);
    }

    static RedisURI parse(String uri) {
        ServerUrl url = ServerUrl.parse(uri);
        RedisURI target;
        try {
            target = RedisURI.create(uri);
        } catch (RuntimeException e) {
            // Its message quotes the URL, password included: not passed on.
            throw ServerUrl.wrong("it holds a character that no URL may hold; in user and password, write it as %XX");
        }
        if (url.isOneHost()) {
            // Of a host with an underscore Lettuce takes the port for a part.
            target.setHost(url.host());
            target.setPort(url.port());
        }
        if (!url.hasTimeout()) {
            target.setTimeout(COMMAND_TIMEOUT);
        }
        return target;
    }

    private static String describe(RedisURI target) {
        if (target.getSocket() != null) {
            return target.getSocket();
        }
        if (!target.getSentinels().isEmpty()) {
            return "the primary '" + target.getSentinelMasterId() + "'";
        }
        return target.getHost() + ":" + target.getPort();
    }

    /** Connections that are closing are waited for: Lettuce would close them once more, and warn in its log that they are. */
    private static void shutDown(RedisClient client, ClientResources resources, LettuceConnections connections) {
        try {
            connections.awaitNone(CLOSE_WAIT);
            client.shutdownAsync(0, 2, TimeUnit.SECONDS).get(3, TimeUnit.SECONDS);
            Future<Boolean> stopped = resources.shutdown(0, 2, TimeUnit.SECONDS);
            stopped.get(3, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // All is asked for, and goes on in the background; only this wait ends.
            client.shutdownAsync(0, 2, TimeUnit.SECONDS);
            resources.shutdown(0, 2, TimeUnit.SECONDS);
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            resources.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }
}
