package io.tenure.redis.jedis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/** The servers of a cluster, by the client's own table of slots. */
final class JedisSlots implements JedisTopology {
    private final ClusterConnectionProvider provider;
    private final String described;

    JedisSlots(ClusterConnectionProvider provider) {
        this.provider = provider;
        this.described = "the cluster of "
                + String.join(
                        ", ", provider.getNodes().keySet().stream().sorted().toList());
    }

    @Override
    public Place owner(int slot) {
        HostAndPort node = slot == NO_SLOT ? null : provider.getNode(slot);
        Map<String, ConnectionPool> pools = provider.getNodes();
        if (node != null) {
            Place owner = place(node.toString(), pools);
            if (owner != null) {
                return owner;
            }
        }
        // Whoever it is will say where the slot is.
        List<Place> any = primaries();
        if (any.isEmpty()) {
            throw new JedisConnectionException("The Jedis client knows no server of " + described);
        }
        return any.get(ThreadLocalRandom.current().nextInt(any.size()));
    }

    /** By who owns a slot: the client's own list of them is not kept up to date in every version. */
    @Override
    public List<Place> primaries() {
        Set<String> names = new LinkedHashSet<>();
        for (int slot = 0; slot < Protocol.CLUSTER_HASHSLOTS; slot++) {
            HostAndPort node = provider.getNode(slot);
            if (node != null) {
                names.add(node.toString());
            }
        }
        Map<String, ConnectionPool> pools = provider.getNodes();
        List<Place> primaries = new ArrayList<>();
        for (String name : names) {
            Place place = place(name, pools);
            if (place != null) {
                primaries.add(place);
            }
        }
        return primaries;
    }

    private static @Nullable Place place(String name, Map<String, ConnectionPool> pools) {
        ConnectionPool pool = pools.get(name);
        return pool == null ? null : new Place(name, pool);
    }

    @Override
    public Place at(HostAndPort node) {
        String name = node.toString();
        Place known = place(name, provider.getNodes());
        if (known != null) {
            return known;
        }
        provider.getConnection(node).close(); // makes a pool for it
        Place added = place(name, provider.getNodes());
        if (added == null) {
            throw new JedisConnectionException("The Jedis client does not keep a pool of connections to " + name);
        }
        return added;
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public void renew(Connection connection) {
        provider.renewSlotCache(connection);
    }

    @Override
    public void renew() {
        provider.renewSlotCache();
    }

    @Override
    public String describe() {
        return described;
    }
}
