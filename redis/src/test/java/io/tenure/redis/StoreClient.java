package io.tenure.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.tenure.redis.jedis.JedisFixture;
import io.tenure.redis.servers.ClusterGroup;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import redis.clients.jedis.UnifiedJedis;

/** A client of an application's, whatever its make, and the stores over it. */
public final class StoreClient implements AutoCloseable {
    private final Function<RedisStoreOptions, RedisLeaseStore> stores;
    private final Runnable onClose;

    private StoreClient(Function<RedisStoreOptions, RedisLeaseStore> stores, Runnable onClose) {
        this.stores = stores;
        this.onClose = onClose;
    }

    public static StoreClient lettuce(String uri) {
        RedisClient client = RedisClient.create(uri);
        return new StoreClient(
                options -> LettuceStores.of(client, options), () -> client.shutdown(0, 2, TimeUnit.SECONDS));
    }

    /** A client that the store opens and closes itself, with settings made for leases. */
    public static StoreClient connecting(String uri) {
        return new StoreClient(options -> RedisLeaseStore.connect(uri, options), () -> {});
    }

    public static StoreClient lettuce(ClusterGroup cluster) {
        return lettuceCluster(cluster.uris().get(0));
    }

    /** @param uri of one node */
    public static StoreClient lettuceCluster(String uri) {
        RedisClusterClient client = RedisClusterClient.create(uri);
        return new StoreClient(
                options -> LettuceStores.of(client, options), () -> client.shutdown(0, 2, TimeUnit.SECONDS));
    }

    /** One with a short socket time-out, for leases as short as those of tests. */
    public static StoreClient jedis(String uri) {
        URI parsed = URI.create(uri);
        return jedis(JedisFixture.client(parsed.getHost(), parsed.getPort()));
    }

    /** One that is closed with this. */
    public static StoreClient jedis(UnifiedJedis client) {
        return new StoreClient(options -> JedisStores.of(client, options), client::close);
    }

    public RedisLeaseStore store(RedisStoreOptions options) {
        return stores.apply(options);
    }

    @Override
    public void close() {
        onClose.run();
    }
}
