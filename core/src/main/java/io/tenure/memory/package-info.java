/**
 * Leases within one process, and time that is moved by hand: for tests and for single-instance deployments.
 */
@NullMarked
package io.tenure.memory;

import org.jspecify.annotations.NullMarked;
