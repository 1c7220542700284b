package io.tenure.redis.lettuce;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.tenure.StoreException;
import io.tenure.redis.Acknowledgement;
import io.tenure.redis.RedisPort;
import io.tenure.redis.RedisReply;
import io.tenure.redis.RedisScript;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** A standalone server (or whatever the Lettuce client connects to) over one connection, and one for pushes. */
final class LettucePort implements RedisPort {
    private static final int SCAN_STEP = 500;

    /** How long a fenced write blocks when the client knows no bound: what a client of Lettuce's has unless it is set. */
    static final Duration WITHOUT_TIMEOUT = Duration.ofSeconds(60);

    /** How long closing waits for a connection that is just being made, on a server that may be hung. */
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisAsyncCommands<byte[], byte[]> commands;
    private final LettuceSubscriptions subscriptions;
    private final LettuceWaits waits;
    private final String server;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** What this server has in its cache, as far as this connection has seen, with the digests. */
    private final Map<RedisScript, byte[]> known = new ConcurrentHashMap<>();

    LettucePort(
            StatefulRedisConnection<byte[], byte[]> connection,
            LettuceSubscriptions.Opener pushes,
            LettuceWaits.Opener waits,
            String server,
            Runnable onClose) {
        this.connection = connection;
        this.commands = connection.async();
        this.subscriptions = new LettuceSubscriptions(pushes, server);
        this.waits = new LettuceWaits(waits, server);
        this.server = server;
        this.onClose = onClose;
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
                known.clear(); // the next server may be another, or have been started again
            }
        });
    }

    @Override
    public CompletionStage<RedisReply> run(RedisScript script, byte[][] keys, byte[]... args) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(StoreException.permanent("This store over " + server
                    + " is closed, as closing its Tenure does: open another one. Nothing was sent"));
        }
        return new LettuceCall(commands, script, keys, args, server, known).start();
    }

    @Override
    public CompletionStage<Acknowledgement.Outcome> runAcknowledged(
            Acknowledgement wanted, Predicate<RedisReply> wait, RedisScript script, byte[][] keys, byte[]... args) {
        return waits.run(wanted, wait, script, keys, args);
    }

    @Override
    public CompletionStage<List<byte[]>> keys(byte[] pattern) {
        CompletableFuture<List<byte[]>> all = new CompletableFuture<>();
        walk(ScanCursor.INITIAL, ScanArgs.Builder.matches(pattern).limit(SCAN_STEP), new ArrayList<>(), all);
        return all;
    }

    private void walk(ScanCursor from, ScanArgs args, List<byte[]> found, CompletableFuture<List<byte[]>> all) {
        if (all.isDone()) {
            return;
        }
        try {
            commands.scan(from, args).whenComplete((page, failure) -> {
                if (failure != null) {
                    all.completeExceptionally(LettuceCall.failure(failure, server));
                    return;
                }
                found.addAll(page.getKeys());
                if (page.isFinished()) {
                    all.complete(found);
                } else {
                    walk(next(page), args, found, all);
                }
            });
        } catch (RuntimeException e) {
            all.completeExceptionally(LettuceCall.failure(e, server));
        }
    }

    private static ScanCursor next(KeyScanCursor<byte[]> page) {
        return ScanCursor.of(page.getCursor());
    }

    @Override
    public void subscribe(String channel, Subscriber subscriber) {
        subscriptions.add(channel, subscriber);
    }

    @Override
    public void onReturn(Runnable action) {
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> back, SocketAddress address) {
                action.run();
            }
        });
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public Duration timeout() {
        Duration timeout = connection.getTimeout();
        return timeout.isZero() ? WITHOUT_TIMEOUT : timeout;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            CompletionStage<?> others = subscriptions.close().thenCombine(waits.close(), (first, second) -> second);
            connection.close();
            // A client of our own that is shut down while a connection is being made leaves it open for ever.
            await(others);
            onClose.run();
        }
    }

    private static void await(CompletionStage<?> end) {
        try {
            end.toCompletableFuture().get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // There is none, or none for as long as anybody should wait for it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return server;
    }
}
