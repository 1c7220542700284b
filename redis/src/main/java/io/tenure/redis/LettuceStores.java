package io.tenure.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.tenure.StoreException;
import io.tenure.redis.lettuce.LettuceClients;

/**
 * Stores over Lettuce 7, or 6.8. Thread-safe, without state.
 *
 * <p>Lettuce is an optional dependency, so everything that names a type of its is in classes named for it. This one does
 * nothing with such types but hand them on: it has to load without Lettuce, to say that Lettuce is missing. On the module
 * path an application is started with {@code --add-modules ALL-MODULE-PATH}, because nothing else asks for the modules
 * that Lettuce needs.
 */
public final class LettuceStores {
    private LettuceStores() {}

    /**
     * A store over a client of the application's, with the default options; as {@link #of(RedisClient, RedisStoreOptions)}.
     *
     * @throws StoreException as {@link #of(RedisClient, RedisStoreOptions)}
     * @throws IllegalArgumentException as {@link #of(RedisClient, RedisStoreOptions)}
     * @throws IllegalStateException as {@link #of(RedisClient, RedisStoreOptions)}
     */
    public static RedisLeaseStore of(RedisClient client) {
        return of(client, RedisStoreOptions.defaults());
    }

    /**
     * A store over a client of the application's, which must know the URI it connects to. Opens connections of its own, the
     * first one now, blocking; closing the store closes those and leaves the client alone. The client's settings are kept. A
     * script that is under way when its connection breaks fails, and is not sent again, whatever they are; one that is run
     * while there is no connection waits for one, where the client does that, and is dropped when it is given up.
     *
     * <p>The command time-out of the client, which is that of its URI, is how long writes by a fence block at most; zero,
     * which is no time-out to Lettuce, means 60 s here.
     *
     * @throws StoreException a transient one when the server cannot be reached, or the thread is interrupted meanwhile (the
     *     flag is kept); a permanent one when it refuses the connection, or the client is shut down or knows no URI
     * @throws IllegalArgumentException when the command time-out is neither zero nor from 1 ms to a day, or not above the
     *     time-out of {@link RedisStoreOptions.Builder#minReplicas}
     * @throws IllegalStateException when this module does not find all of Lettuce
     */
    public static RedisLeaseStore of(RedisClient client, RedisStoreOptions options) {
        return RedisLeaseStore.owning(port(client), options);
    }

    /**
     * The same client as a port, for fences beside leases that are kept elsewhere ({@link RedisFence#external}). Whoever
     * asked for it closes it.
     *
     * @throws StoreException as {@link #of(RedisClient, RedisStoreOptions)}
     * @throws IllegalArgumentException as {@link #of(RedisClient, RedisStoreOptions)}
     * @throws IllegalStateException as {@link #of(RedisClient, RedisStoreOptions)}
     */
    public static RedisPort port(RedisClient client) {
        try {
            return LettuceClients.port(client); // which refuses null, once it has found Lettuce
        } catch (LinkageError e) {
            throw missing("LettuceStores", e);
        }
    }

    /**
     * A store over a client of the application's for a cluster, with the default options; as
     * {@link #of(RedisClusterClient, RedisStoreOptions)}.
     *
     * @throws StoreException as {@link #of(RedisClusterClient, RedisStoreOptions)}
     * @throws IllegalArgumentException as {@link #of(RedisClusterClient, RedisStoreOptions)}
     * @throws IllegalStateException as {@link #of(RedisClusterClient, RedisStoreOptions)}
     */
    public static RedisLeaseStore of(RedisClusterClient client) {
        return of(client, RedisStoreOptions.defaults());
    }

    /**
     * A store over a client of the application's for a Redis Cluster. Opens connections of its own, the first ones now,
     * blocking: one to each node that leases lie on, one to any node, and one for pushes; closing the store closes those and
     * leaves the client alone. Its settings are kept, with what {@link #of(RedisClient, RedisStoreOptions)} says of scripts
     * whose connection breaks.
     *
     * <p>The store looks for the new owners of slots by itself whenever a node does not answer or sends a script elsewhere, so
     * the client needs no refresh of its topology for that. How soon they are found depends on its settings: a node that
     * does not answer holds up each look for the connect time-out of its {@code SocketOptions} and its command time-out, so
     * both are best set to a second or two; {@link RedisLeaseStore#connect} with {@code redis-cluster://} does that.
     *
     * @throws StoreException as {@link #of(RedisClient, RedisStoreOptions)}; none of the nodes that the client knows can be
     *     reached
     * @throws IllegalArgumentException when the command time-out is neither zero nor from 1 ms to a day
     * @throws IllegalStateException when this module does not find all of Lettuce
     */
    public static RedisLeaseStore of(RedisClusterClient client, RedisStoreOptions options) {
        return RedisLeaseStore.owning(port(client), options);
    }

    /**
     * The same client as a port; as {@link #port(RedisClient)}.
     *
     * @throws StoreException as {@link #of(RedisClusterClient, RedisStoreOptions)}
     * @throws IllegalArgumentException as {@link #of(RedisClusterClient, RedisStoreOptions)}
     * @throws IllegalStateException as {@link #of(RedisClusterClient, RedisStoreOptions)}
     */
    public static RedisPort port(RedisClusterClient client) {
        try {
            return LettuceClients.port(client); // which refuses null, once it has found Lettuce
        } catch (LinkageError e) {
            throw missing("LettuceStores", e);
        }
    }

    /** A port over a client of its own, with settings made for leases. */
    static RedisPort connect(String uri) {
        try {
            return LettuceClients.connect(uri);
        } catch (LinkageError e) {
            throw missing("RedisLeaseStore.connect", e);
        }
    }

    private static IllegalStateException missing(String caller, LinkageError e) {
        return new IllegalStateException(
                caller
                        + " needs the client Lettuce, 6.8 or 7, and what it brings along: add io.lettuce:lettuce-core, or a"
                        + " newer one, to the class path; on the module path, start Java with --add-modules"
                        + " ALL-MODULE-PATH too. The JVM says: " + e,
                e);
    }
}
