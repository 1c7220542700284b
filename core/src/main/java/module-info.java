/** Leases with fencing tokens: the API, the engine and a store in memory. */
module io.tenure {
    requires static org.jspecify;

    exports io.tenure;
    exports io.tenure.spi;
    exports io.tenure.memory;
}
