package io.tenure.redis;

import io.tenure.redis.servers.ClusterGroup;
import io.tenure.redis.servers.RedisProcess;
import io.tenure.redis.servers.ReplicaGroup;
import io.tenure.redis.servers.SentinelGroup;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Which servers keep keys at the moment, and which of them keeps which. */
public final class Primaries {
    private final Function<String, RedisProcess> owners;
    private final Supplier<List<RedisProcess>> all;

    private Primaries(Function<String, RedisProcess> owners, Supplier<List<RedisProcess>> all) {
        this.owners = owners;
        this.all = all;
    }

    public static Primaries of(RedisServerRule redis) {
        return new Primaries(key -> redis.server(), () -> List.of(redis.server()));
    }

    public static Primaries of(ReplicaGroup group) {
        return new Primaries(key -> group.primary(), () -> List.of(group.primary()));
    }

    public static Primaries of(SentinelGroup group) {
        return new Primaries(key -> group.primary(), () -> List.of(group.primary()));
    }

    public static Primaries of(ClusterGroup cluster) {
        return new Primaries(key -> cluster.ownerOf(cluster.slotOf(key)), cluster::primaries);
    }

    public RedisProcess ownerOf(String key) {
        return owners.apply(key);
    }

    public List<RedisProcess> all() {
        return all.get();
    }
}
