package io.tenure.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.tenure.redis.RedisPort;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The subscriptions of a port, on one connection, which is opened with the first. Lettuce renews them after a loss. */
final class LettuceSubscriptions extends RedisPubSubAdapter<byte[], byte[]> implements RedisConnectionStateListener {

    /** Opens the connection, without waiting for it. */
    interface Opener {
        CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> open();
    }

    private final Opener opener;
    private final String server;
    private final Map<String, RedisPort.Subscriber> subscribers = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connection;
    private volatile @Nullable StatefulRedisPubSubConnection<byte[], byte[]> current;
    private volatile Consumer<StatefulRedisPubSubConnection<byte[], byte[]>> onOpen = open -> {};
    private volatile boolean closed;

    LettuceSubscriptions(Opener opener, String server) {
        this.opener = opener;
        this.server = server;
    }

    /** Has {@code action} told each connection that is opened. */
    LettuceSubscriptions onOpen(Consumer<StatefulRedisPubSubConnection<byte[], byte[]>> action) {
        onOpen = action;
        return this;
    }

    void add(String channel, RedisPort.Subscriber subscriber) {
        if (closed) {
            return;
        }
        subscribers.put(channel, subscriber);
        connection().whenComplete((open, failure) -> {
            if (failure != null) {
                forget();
                refuse(channel, failure);
            } else if (!closed) {
                open.async().subscribe(channel.getBytes(UTF_8)).whenComplete((done, denied) -> {
                    if (denied != null) {
                        refuse(channel, denied);
                    }
                });
            }
        });
    }

    private CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connection() {
        lock.lock();
        try {
            if (connection == null) {
                if (closed) {
                    return CompletableFuture.failedStage(new IllegalStateException("closed"));
                }
                connection = opener.open().thenApply(this::use);
            }
            return connection;
        } finally {
            lock.unlock();
        }
    }

    private StatefulRedisPubSubConnection<byte[], byte[]> use(StatefulRedisPubSubConnection<byte[], byte[]> open) {
        open.addListener((RedisPubSubListener<byte[], byte[]>) this);
        open.addListener((RedisConnectionStateListener) this);
        current = open;
        onOpen.accept(open);
        return open;
    }

    /** Whether pushes come over {@code connection}, or will again once the client has connected it. */
    @SuppressWarnings("ReferenceEquality") // a connection is itself, and no other to the same server
    boolean isCurrent(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
        return !closed && current == connection;
    }

    /** Whatever connection there is, over which nothing comes any more, another one takes its place. */
    void renew() {
        StatefulRedisPubSubConnection<byte[], byte[]> silent = current;
        if (closed || silent == null) {
            return;
        }
        current = null;
        forget();
        silent.removeListener((RedisPubSubListener<byte[], byte[]>) this);
        silent.removeListener((RedisConnectionStateListener) this);
        silent.closeAsync();
        subscribers.values().forEach(RedisPort.Subscriber::lost);
        Map.copyOf(subscribers).forEach(this::add);
    }

    private void forget() {
        lock.lock();
        try {
            connection = null;
        } finally {
            lock.unlock();
        }
    }

    private void refuse(String channel, Throwable failure) {
        RedisPort.Subscriber subscriber = subscribers.get(channel);
        if (subscriber == null || closed) {
            return;
        }
        subscriber.refused(LettuceCall.failure(failure, server));
    }

    @Override
    public void message(byte[] channel, byte[] message) {
        RedisPort.Subscriber subscriber = subscribers.get(new String(channel, UTF_8));
        if (subscriber != null) {
            subscriber.message(message);
        }
    }

    @Override
    public void subscribed(byte[] channel, long count) {
        RedisPort.Subscriber subscriber = subscribers.get(new String(channel, UTF_8));
        if (subscriber != null) {
            subscriber.established();
        }
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress socketAddress) {}

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        subscribers.values().forEach(RedisPort.Subscriber::lost);
    }

    /** Tells nobody anything any more, and completes when its connection is closed, or failed to be made. */
    CompletionStage<?> close() {
        subscribers.clear();
        lock.lock();
        try {
            closed = true;
            return connection == null
                    ? CompletableFuture.completedStage(null)
                    : connection.thenCompose(StatefulRedisPubSubConnection::closeAsync);
        } finally {
            lock.unlock();
        }
    }
}
