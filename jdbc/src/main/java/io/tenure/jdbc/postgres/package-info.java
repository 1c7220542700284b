/** What only PostgreSQL has: pushes of releases by {@code LISTEN} and {@code NOTIFY}. Not exported. */
@NullMarked
package io.tenure.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
