package io.tenure.redis.jedis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.util.Pool;

/** Which servers a client connects to, as it knows at the moment. Nothing here waits for a server but {@link #at}. */
interface JedisTopology {
    /** The slot of what has no keys, and of everything where there are no slots. */
    int NO_SLOT = -1;

    /** A server by its name and the client's pool for it. */
    record Place(String server, Pool<Connection> pool) {}

    /** Where a slot is; for {@link #NO_SLOT}, any primary. */
    Place owner(int slot);

    /** All servers that own slots. */
    List<Place> primaries();

    /** The server that another one named. */
    Place at(HostAndPort node);

    boolean isCluster();

    /** Looks again which servers there are, by a connection to one that told of a change. */
    void renew(Connection connection);

    /** The same, when none is known to answer. */
    void renew();

    /** What the client connects to, for messages. */
    String describe();
}
