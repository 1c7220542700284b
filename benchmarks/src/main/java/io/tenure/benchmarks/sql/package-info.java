/** What leases and fences in PostgreSQL cost. */
@NullMarked
package io.tenure.benchmarks.sql;

import org.jspecify.annotations.NullMarked;
