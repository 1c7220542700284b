/**
 * Leases: time-limited, exclusive claims on a name that carry a fencing token. Start with {@link io.tenure.Tenure}.
 */
@NullMarked
package io.tenure;

import org.jspecify.annotations.NullMarked;
