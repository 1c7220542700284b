package io.tenure.redis;

import io.tenure.StoreException;
import io.tenure.redis.jedis.JedisClients;
import redis.clients.jedis.UnifiedJedis;

/**
 * Stores over Jedis 8, or an older one from 5 on, with Sentinel from 7.5 on. Thread-safe, without state.
 *
 * <p>Jedis blocks, so each server gets a bounded number of threads, no more than the client's pool has connections to it,
 * some of them for renewals and releases alone; they end when they are idle. A call that finds all threads busy and the
 * queue for them full fails at once.
 *
 * <p>Jedis is an optional dependency, so everything that names a type of its is in classes named for it. This one does
 * nothing with such types but hand them on: it has to load without Jedis, to say that Jedis is missing. On the module path
 * an application is started with {@code --add-modules ALL-MODULE-PATH}, because nothing else asks for the modules that
 * Jedis needs.
 */
public final class JedisStores {
    private JedisStores() {}

    /**
     * A store over a client of the application's, with the default options; as {@link #of(UnifiedJedis, RedisStoreOptions)}.
     *
     * @throws StoreException as {@link #of(UnifiedJedis, RedisStoreOptions)}
     * @throws IllegalArgumentException as {@link #of(UnifiedJedis, RedisStoreOptions)}
     * @throws IllegalStateException as {@link #of(UnifiedJedis, RedisStoreOptions)}
     */
    public static RedisLeaseStore of(UnifiedJedis client) {
        return of(client, RedisStoreOptions.defaults());
    }

    /**
     * A store over a client of the application's with a pool of connections: to one server ({@code RedisClient},
     * {@code JedisPooled}), to the primary that sentinels name ({@code RedisSentinelClient}; up to Jedis
     * 7.4 its client {@code JedisSentineled} keeps its pool to itself, and is refused), or to a cluster
     * ({@code RedisClusterClient}, {@code JedisCluster}). Uses its connections, the first one now, blocking; closing the store gives them back and
     * leaves the client alone. Every script is sent once, whatever number of attempts the client was given.
     *
     * <p>The socket time-out of the client is how long writes by a fence block at most, and how long a call that nobody
     * waits for any more keeps a thread. Leases need a ttl of at least twice that: a shorter one is refused by
     * {@code Tenure.elector} and {@code Tenure.lock}.
     *
     * @throws StoreException a transient one when the server cannot be reached; a permanent one when it refuses the connection
     * @throws IllegalArgumentException when the socket time-out is 0, which is none, or more than a day; when the pool has
     *     fewer than four connections; when the client is of another kind than those; or when the time-out is not above the
     *     one of {@link RedisStoreOptions.Builder#minReplicas}
     * @throws IllegalStateException when this module does not find all of Jedis
     */
    public static RedisLeaseStore of(UnifiedJedis client, RedisStoreOptions options) {
        return RedisLeaseStore.owning(port(client), options);
    }

    /**
     * The same client as a port, for fences beside leases that are kept elsewhere ({@link RedisFence#external}). Whoever
     * asked for it closes it.
     *
     * @throws StoreException as {@link #of(UnifiedJedis, RedisStoreOptions)}
     * @throws IllegalArgumentException as {@link #of(UnifiedJedis, RedisStoreOptions)}
     * @throws IllegalStateException as {@link #of(UnifiedJedis, RedisStoreOptions)}
     */
    public static RedisPort port(UnifiedJedis client) {
        try {
            return JedisClients.port(client); // which refuses null, once it has found Jedis
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "JedisStores needs the client Jedis, 5 to 8, and what it brings along: add redis.clients:jedis to the"
                            + " class path; on the module path, start Java with --add-modules ALL-MODULE-PATH too. The JVM"
                            + " says: " + e,
                    e);
        }
    }
}
