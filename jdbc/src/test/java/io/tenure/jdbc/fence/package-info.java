/** The fence on real databases, and why it is built as it is. */
@NullMarked
package io.tenure.jdbc.fence;

import org.jspecify.annotations.NullMarked;
