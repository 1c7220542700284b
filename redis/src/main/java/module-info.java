/** Leases and fences on Redis. Clients are optional: bring Lettuce, or bind another one by {@code RedisPort}. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.tenure.redis {
    requires static org.jspecify;
    requires transitive io.tenure;
    requires static lettuce.core;
    // Used by Lettuce alone, by name. Asked for here, since nothing else would: without it a connection whose other end
    // is
    // gone is noticed after hours only, and a start that fails is better than that. On the class path, where nobody
    // reads
    // this, a runtime without it has to do.
    requires jdk.net;

    exports io.tenure.redis;
}
