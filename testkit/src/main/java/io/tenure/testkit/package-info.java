/**
 * For those who write a store of leases ({@link io.tenure.testkit.LeaseStoreContract} and the contracts of its
 * capabilities), and for those who test what they do under a lease ({@link io.tenure.testkit.HandTerm},
 * {@link io.tenure.testkit.FaultyStore}).
 */
@NullMarked
package io.tenure.testkit;

import org.jspecify.annotations.NullMarked;
