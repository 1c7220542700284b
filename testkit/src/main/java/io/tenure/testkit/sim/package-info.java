/**
 * Whole histories of leases under faults, on hand-moved time in one thread, judged by invariants and replayed exactly
 * from a seed. Start with {@link io.tenure.testkit.sim.Simulation}.
 */
@NullMarked
package io.tenure.testkit.sim;

import org.jspecify.annotations.NullMarked;
