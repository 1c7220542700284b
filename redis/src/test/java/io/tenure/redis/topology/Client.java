package io.tenure.redis.topology;

import io.tenure.redis.StoreClient;
import io.tenure.redis.jedis.JedisFixture;
import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.ReadmeUser;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.SentinelGroup;
import java.time.Duration;

/** Which client an instance has. */
enum Client {
    LETTUCE {
        @Override
        StoreClient to(RedisProcess server) {
            return StoreClient.connecting(server.uri());
        }

        @Override
        StoreClient to(SentinelGroup group) {
            return StoreClient.connecting(group.uri());
        }

        @Override
        StoreClient to(ClusterGroup cluster) {
            return StoreClient.connecting(
                    "redis-cluster://" + String.join(",", cluster.uris()).replace("redis://", ""));
        }

        @Override
        StoreClient limited(RedisProcess server) {
            return StoreClient.connecting(ReadmeUser.in(server.uri()));
        }

        @Override
        StoreClient limited(SentinelGroup group) {
            return StoreClient.connecting(ReadmeUser.in(group.uri()));
        }

        @Override
        StoreClient limited(ClusterGroup cluster) {
            return StoreClient.connecting(ReadmeUser.in(cluster.uris().get(0)).replace("redis://", "redis-cluster://"));
        }
    },
    JEDIS {
        @Override
        StoreClient to(RedisProcess server) {
            return StoreClient.jedis(JedisFixture.client(RedisProcess.HOST, server.port(), PATIENCE));
        }

        @Override
        StoreClient to(SentinelGroup group) {
            return StoreClient.jedis(JedisFixture.client(group, PATIENCE));
        }

        @Override
        StoreClient to(ClusterGroup cluster) {
            return StoreClient.jedis(JedisFixture.client(cluster, PATIENCE));
        }

        @Override
        StoreClient limited(RedisProcess server) {
            return StoreClient.jedis(JedisFixture.limited(server, UNHURRIED));
        }

        @Override
        StoreClient limited(SentinelGroup group) {
            return StoreClient.jedis(JedisFixture.limited(group, UNHURRIED));
        }

        @Override
        StoreClient limited(ClusterGroup cluster) {
            return StoreClient.jedis(JedisFixture.limited(cluster, UNHURRIED));
        }
    };

    /** Jedis keeps leases of twice its socket time-out, and more. */
    private static final Duration PATIENCE = Duration.ofMillis(900);

    /** For leases that outlast the test. */
    private static final Duration UNHURRIED = Duration.ofSeconds(10);

    /** By its address: whatever becomes of that server, no other one is looked for. */
    abstract StoreClient to(RedisProcess server);

    abstract StoreClient to(SentinelGroup group);

    abstract StoreClient to(ClusterGroup cluster);

    /** One of the user that the README makes, on every server. */
    abstract StoreClient limited(RedisProcess server);

    abstract StoreClient limited(SentinelGroup group);

    abstract StoreClient limited(ClusterGroup cluster);
}
