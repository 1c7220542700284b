/** Keeps the rule that the package of the broken examples breaks. */
@NullMarked
package io.tenure.verification.marked;

import org.jspecify.annotations.NullMarked;
