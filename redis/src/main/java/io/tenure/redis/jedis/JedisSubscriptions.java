package io.tenure.redis.jedis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tenure.StoreException;
import io.tenure.redis.RedisPort;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The subscriptions of a port: one connection of the client's pool and one thread, which lives while there is something to
 * listen to. After a loss it subscribes again, where the client then says that a server is.
 *
 * <p>Channels are asked for one by one: a refusal does not say which one it is about.
 */
final class JedisSubscriptions {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final JedisNodes nodes;
    private final long patience;
    private final long silence;
    private final Map<String, RedisPort.Subscriber> subscribers = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private @Nullable Thread listener;
    private volatile @Nullable Session session;
    private volatile boolean pings = true;
    private boolean closed;

    JedisSubscriptions(JedisNodes nodes, JedisLimits limits) {
        this.nodes = nodes;
        this.patience = limits.patience().toNanos();
        this.silence = limits.silence().toNanos();
    }

    void add(String channel, RedisPort.Subscriber subscriber) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            subscribers.put(channel, subscriber);
            Session present = session;
            if (present != null) {
                present.want(channel);
            }
            if (listener == null) {
                listener = new Thread(this::listen, "tenure-redis-subscribe");
                listener.setDaemon(true);
                listener.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called now and then while scripts are run: finds out about a server that is silent for ever. */
    void check() {
        Session present = session;
        if (present != null) {
            present.check();
        }
    }

    private void listen() {
        int failures = 0;
        while (begin()) {
            JedisNode node = null;
            Session tried = null;
            try {
                node = nodes.owner(JedisTopology.NO_SLOT);
                tried = new Session(node, node.borrow());
                tried.listen();
            } catch (JedisDataException e) {
                refuse(tried, e, nameOf(node));
            } catch (Exception e) {
                if (node != null && JedisFailures.isOfConnection(e)) {
                    node.lost();
                    nodes.lost(JedisTopology.NO_SLOT);
                }
            } catch (LinkageError e) {
                refuseAll(StoreException.permanent("Jedis lacks a part of itself or of what it brings along: " + e, e));
            } finally {
                failures = tried != null && tried.end() ? 0 : failures + 1;
            }
            pause(failures);
        }
    }

    private String nameOf(@Nullable JedisNode node) {
        return node == null ? nodes.describe() : node.toString();
    }

    /** Whether there is something to listen to; if not, this thread is over. */
    private boolean begin() {
        lock.lock();
        try {
            if (closed || subscribers.isEmpty()) {
                listener = null;
                return false;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The channel that was asked for may not be subscribed to; or, when none could be asked for, no channel may. */
    private void refuse(@Nullable Session tried, JedisDataException reason, String server) {
        StoreException told = JedisFailures.of(reason, server);
        if (tried == null) {
            refuseAll(told);
            return;
        }
        String asked = tried.asked();
        if (asked == null) {
            pings = false; // the only other thing that is asked for
        } else {
            refuse(asked, told);
        }
    }

    private void refuseAll(StoreException reason) {
        subscribers.keySet().forEach(channel -> refuse(channel, reason));
    }

    private void refuse(String channel, StoreException reason) {
        RedisPort.Subscriber subscriber = subscribers.remove(channel);
        if (subscriber != null) {
            subscriber.refused(reason);
        }
    }

    /** Up to a second, at random: waiters learn of releases again soon after a server is back, and not all in step. */
    private void pause(int failures) {
        long most = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures, 6));
        long left = ThreadLocalRandom.current().nextLong(most);
        lock.lock();
        try {
            while (!closed && left > 0) {
                left = ended.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // Nobody but the JVM's end has a reason to.
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Tells nobody anything any more, and ends the thread. */
    void close() {
        subscribers.clear();
        Session present;
        lock.lock();
        try {
            closed = true;
            present = session;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
        if (present != null) {
            present.cut();
        }
    }

    /** One connection, from its first channel until it is lost. */
    private final class Session extends BinaryJedisPubSub {
        private final JedisNode node;
        private final Connection connection;
        private final Deque<String> wanted = new ArrayDeque<>();
        private final Set<String> heard = ConcurrentHashMap.newKeySet();
        private @Nullable String asked;
        private volatile long lastHeard = System.nanoTime();
        private volatile long pinged;
        private volatile boolean pinging;

        Session(JedisNode node, Connection connection) {
            this.node = node;
            this.connection = connection;
        }

        void listen() {
            String first;
            lock.lock();
            try {
                wanted.addAll(subscribers.keySet());
                first = wanted.poll();
                if (closed || first == null) {
                    return;
                }
                asked = first;
                session = this;
            } finally {
                lock.unlock();
            }
            proceed(connection, first.getBytes(UTF_8));
        }

        /** Called with the lock held. */
        void want(String channel) {
            wanted.add(channel);
            askNext();
        }

        @Nullable
        String asked() {
            lock.lock();
            try {
                return asked;
            } finally {
                lock.unlock();
            }
        }

        private void askNext() {
            if (asked == null && !closed) {
                String next = wanted.poll();
                asked = next;
                if (next != null) {
                    send(() -> subscribe(next.getBytes(UTF_8)));
                }
            }
        }

        /** A connection that broke is noticed by the thread that reads from it. */
        private void send(Runnable command) {
            try {
                command.run();
            } catch (JedisException e) {
                connection.setBroken();
            }
        }

        @Override
        public void onSubscribe(byte[] channel, int count) {
            lastHeard = System.nanoTime();
            String name = new String(channel, UTF_8);
            heard.add(name);
            lock.lock();
            try {
                asked = null;
                askNext();
            } finally {
                lock.unlock();
            }
            RedisPort.Subscriber subscriber = subscribers.get(name);
            if (subscriber != null) {
                subscriber.established();
            }
        }

        @Override
        public void onMessage(byte[] channel, byte[] message) {
            lastHeard = System.nanoTime();
            RedisPort.Subscriber subscriber = subscribers.get(new String(channel, UTF_8));
            if (subscriber != null) {
                subscriber.message(message);
            }
        }

        @Override
        public void onPong(byte[] pattern) {
            lastHeard = System.nanoTime();
            pinging = false;
        }

        void check() {
            long now = System.nanoTime();
            if (node.isGone() || pinging && now - pinged > patience && now - lastHeard > patience) {
                cut();
            } else if (pings && !pinging && now - lastHeard > silence) {
                lock.lock();
                try {
                    if (!pinging && asked == null) {
                        pinged = now;
                        pinging = true;
                        send(this::ping);
                    }
                } finally {
                    lock.unlock();
                }
            }
        }

        /** Ends the thread's reading. */
        void cut() {
            lock.lock();
            try {
                connection.disconnect();
            } catch (JedisException e) {
                connection.setBroken();
            } finally {
                lock.unlock();
            }
        }

        /** Gives the connection back as one that nobody can use. Returns whether it had been of use. */
        boolean end() {
            lock.lock();
            try {
                if (session == this) {
                    session = null;
                }
            } finally {
                lock.unlock();
            }
            cut();
            try {
                connection.close();
            } catch (JedisException e) {
                connection.setBroken();
            }
            for (String channel : heard) {
                RedisPort.Subscriber subscriber = subscribers.get(channel);
                if (subscriber != null) {
                    subscriber.lost();
                }
            }
            return !heard.isEmpty();
        }
    }
}
