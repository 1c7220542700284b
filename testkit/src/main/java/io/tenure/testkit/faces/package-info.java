/**
 * The laws of electors and locks as their users see them, as tests: {@link io.tenure.testkit.faces.ElectorLaws}, {@link
 * io.tenure.testkit.faces.LockLaws}, {@link io.tenure.testkit.faces.TenureLaws} and their companions. They play on a
 * {@link io.tenure.testkit.faces.Stage}: on time that is moved by hand, or on a real server.
 */
@NullMarked
package io.tenure.testkit.faces;

import org.jspecify.annotations.NullMarked;
