/** A simulation of leases under faults. */
module io.tenure.testkit {
  requires static transitive org.jspecify;
  requires transitive io.tenure;

  exports io.tenure.testkit.sim;
}
