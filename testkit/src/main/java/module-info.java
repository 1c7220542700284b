/** The laws of leases as tests, faults to order, a simulation, and helpers for testing what is done under a lease. */
module io.tenure.testkit {
    requires static org.jspecify;
    requires transitive io.tenure;
    requires transitive org.junit.jupiter.api;
    requires org.assertj.core;

    exports io.tenure.testkit;
    exports io.tenure.testkit.faces;
    exports io.tenure.testkit.net;
    exports io.tenure.testkit.sim;

    // the laws are package-private tests, which JUnit finds by reflection
    opens io.tenure.testkit;
    opens io.tenure.testkit.faces;
}
