package io.tenure.redis.jedis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tenure.redis.RedisScript;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.util.Pool;

/**
 * One server, by the client's pool of connections to it. It has threads of its own, so that a server that hangs holds up no
 * call to another one, and of those some for what keeps leases alive, so that a crowd of waiters or slow writes do not hold
 * up a renewal.
 */
final class JedisNode {
    private final String server;
    private final Pool<Connection> pool;
    private final Duration patience;
    private final JedisLane urgent;
    private final JedisLane others;
    /** What this server has in its cache, as far as this process has seen, with the digests. */
    private final Map<RedisScript, byte[]> known = new ConcurrentHashMap<>();

    JedisNode(String server, Pool<Connection> pool, JedisLimits limits) {
        this.server = server;
        this.pool = pool;
        this.patience = limits.patience();
        JedisLimits.Share share = limits.share(server, pool.getMaxTotal());
        this.urgent = new JedisLane(server, share.urgent());
        this.others = new JedisLane(server, share.others());
    }

    JedisLane lane(JedisCall.Urgency urgency) {
        return urgency == JedisCall.Urgency.KEEPS_LEASES ? urgent : others;
    }

    /** A connection, for which a caller waits no longer than for an answer. Closing it gives it back. */
    Connection borrow() throws Exception {
        Connection connection = pool.borrowObject(patience);
        if (pool instanceof ConnectionPool home) {
            connection.setHandlingPool(home);
        }
        return connection;
    }

    byte @Nullable [] digest(RedisScript script) {
        return known.get(script);
    }

    void knows(RedisScript script) {
        known.computeIfAbsent(script, added -> added.sha().getBytes(ISO_8859_1));
    }

    /**
     * A connection broke. The server may have been started again, without its scripts; and those that lie idle in the pool
     * most likely broke with it. The pool replaces the broken one by a new one, but calls that come at once would meet the
     * others, and each fail.
     */
    void lost() {
        known.clear();
        pool.clear();
    }

    /** Whether the client has given this server up: after a fail-over, or a change of its cluster. */
    boolean isGone() {
        return pool.isClosed();
    }

    List<JedisCall<?>> close() {
        return Stream.of(urgent, others).flatMap(lane -> lane.close().stream()).toList();
    }

    @Override
    public String toString() {
        return server;
    }
}
