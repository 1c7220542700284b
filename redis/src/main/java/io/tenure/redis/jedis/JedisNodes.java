package io.tenure.redis.jedis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/** The servers that a port has to do with, each with its threads, and what becomes of them. */
final class JedisNodes {
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(250);

    private final JedisTopology topology;
    private final JedisLimits limits;
    private final Map<Pool<Connection>, JedisNode> nodes = new ConcurrentHashMap<>();
    /** Slots whose last call did not reach a server. */
    private final Set<Integer> away = ConcurrentHashMap.newKeySet();

    private final List<Runnable> onReturn = new CopyOnWriteArrayList<>();
    private final AtomicLong looked = new AtomicLong(System.nanoTime() - BETWEEN_LOOKS);
    private final AtomicBoolean closed = new AtomicBoolean();

    JedisNodes(JedisTopology topology, JedisLimits limits) {
        this.topology = topology;
        this.limits = limits;
    }

    boolean isCluster() {
        return topology.isCluster();
    }

    boolean isClosed() {
        return closed.get();
    }

    String describe() {
        return topology.describe();
    }

    /** Where a slot is, as far as the client knows. */
    JedisNode owner(int slot) {
        return node(topology.owner(slot));
    }

    List<JedisNode> primaries() {
        return topology.primaries().stream().map(this::node).toList();
    }

    /** The server that another one named. */
    JedisNode at(HostAndPort target) {
        return node(topology.at(target));
    }

    private JedisNode node(JedisTopology.Place place) {
        JedisNode known = nodes.get(place.pool());
        if (known != null) {
            return known;
        }
        JedisNode added = nodes.computeIfAbsent(place.pool(), pool -> new JedisNode(place.server(), pool, limits));
        dropGone();
        if (closed.get()) {
            added.close();
        }
        return added;
    }

    /** What waits for servers that the client has given up goes to those that took their place. */
    private void dropGone() {
        List<JedisNode> gone = nodes.values().stream().filter(JedisNode::isGone).toList();
        nodes.values().removeAll(gone);
        gone.forEach(node -> node.close().forEach(JedisCall::sendElsewhere));
    }

    /** A server named another one. */
    void moved(Connection connection, JedisRedirectionException where) {
        if (where instanceof JedisMovedDataException && isDue()) {
            topology.renew(connection);
        }
    }

    /** A server was not reached, or did not answer: after a fail-over the slot is elsewhere. */
    void lost(int slot) {
        away.add(slot);
        if (isCluster() && !closed.get() && isDue()) {
            topology.renew();
        }
    }

    private boolean isDue() {
        long before = looked.get();
        long now = System.nanoTime();
        return now - before >= BETWEEN_LOOKS && looked.compareAndSet(before, now);
    }

    /** The server of a slot answered. */
    void answered(int slot) {
        if (!away.isEmpty() && away.remove(slot)) {
            // Once for an outage, not once for each slot of the server that was away.
            away.clear();
            onReturn.forEach(Runnable::run);
        }
    }

    void onReturn(Runnable action) {
        onReturn.add(action);
    }

    /** Lets all threads end. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            nodes.values().forEach(node -> node.close().forEach(JedisCall::sendElsewhere));
        }
    }
}
