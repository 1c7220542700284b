/** Leases in a SQL database, and the fence that keeps late writes of their former holders out of one. */
@NullMarked
package io.tenure.jdbc;

import org.jspecify.annotations.NullMarked;
