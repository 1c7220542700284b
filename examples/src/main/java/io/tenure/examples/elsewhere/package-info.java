/**
 * Fences for resources that cannot be reached into, to copy from: each over a narrow interface with the calls of the real
 * client, and each run by a test against a fake of its resource. {@code docs/fencing-elsewhere.md} explains them.
 */
@NullMarked
package io.tenure.examples.elsewhere;

import org.jspecify.annotations.NullMarked;
