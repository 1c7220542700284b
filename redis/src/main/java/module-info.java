/** Leases and fences on Redis. Clients are optional: bring Lettuce or Jedis, or bind another one by {@code RedisPort}. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.tenure.redis {
    requires static org.jspecify;
    requires transitive io.tenure;
    requires static lettuce.core;
    requires static redis.clients.jedis;
    requires static org.apache.commons.pool2; // what the pools of Jedis are
    // Used by Lettuce alone, by name, so that nothing else asks for it. Without it a connection whose other end is gone
    // is noticed after hours only; a start that fails is better than that. On the class path nobody reads this, and a
    // runtime that lacks it has to do.
    requires jdk.net;

    exports io.tenure.redis;
}
