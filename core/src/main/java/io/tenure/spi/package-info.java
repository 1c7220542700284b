/**
 * What a store of leases has to offer. For those who write a store; users of leases need {@link io.tenure} only.
 */
@NullMarked
package io.tenure.spi;

import org.jspecify.annotations.NullMarked;
