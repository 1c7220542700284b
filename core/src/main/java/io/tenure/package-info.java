/**
 * Leases: time-limited, exclusive claims on a name that carry a fencing token. Start with {@link io.tenure.Tenure}.
 *
 * <p>A lease ends by itself when its holder is not heard of, and may end while its holder still believes in it; so the
 * resource has to refuse whoever comes with an older token. The first is the lease of C. Gray and D. Cheriton, "Leases:
 * an efficient fault-tolerant mechanism for distributed file cache consistency" (SOSP 1989), the second the fencing
 * token of M. Kleppmann, "How to do distributed locking" (2016).
 *
 * <p>No argument and no result is null, unless its type says so. Null where none is allowed is a
 * {@link NullPointerException}.
 */
@NullMarked
package io.tenure;

import org.jspecify.annotations.NullMarked;
