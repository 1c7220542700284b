package io.tenure.redis.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What a client tells of its connections to listeners only: which are open, and to which address. */
final class LettuceConnections implements RedisConnectionStateListener {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Object, String> open = new HashMap<>();

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
        lock.lock();
        try {
            open.put(connection, text(address));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        lock.lock();
        try {
            open.remove(connection);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Host and port, without the host's name, which need not have been looked up. */
    static String text(SocketAddress address) {
        String text = address.toString();
        return text.substring(text.indexOf('/') + 1);
    }

    /** The address of a connection, or {@code otherwise}. */
    String address(Object connection, String otherwise) {
        lock.lock();
        try {
            return open.getOrDefault(connection, otherwise);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until none is open, for {@code atMost} at most. */
    void awaitNone(Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (!open.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
