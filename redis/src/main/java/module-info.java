/** Leases and fences on Redis. Clients are optional: bring Lettuce, or bind another one by {@code RedisPort}. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.tenure.redis {
    requires static org.jspecify;
    requires transitive io.tenure;
    requires static lettuce.core;

    exports io.tenure.redis;
}
