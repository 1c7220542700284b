package io.tenure.redis.jedis;

import java.util.List;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/** One server, or the one that sentinels name at the moment, whom the client follows by itself. */
final class JedisOneServer implements JedisTopology {
    private final Supplier<Place> current;

    JedisOneServer(Supplier<Place> current) {
        this.current = current;
    }

    @Override
    public Place owner(int slot) {
        return current.get();
    }

    @Override
    public List<Place> primaries() {
        return List.of(current.get());
    }

    @Override
    public Place at(HostAndPort node) {
        throw new UnsupportedOperationException("There is one server only: " + describe());
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public void renew(Connection connection) {}

    @Override
    public void renew() {}

    @Override
    public String describe() {
        return current.get().server();
    }
}
