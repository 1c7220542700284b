/** The {@code tenure} command: what it takes and which exit code it gives. */
@NullMarked
package io.tenure.tool;

import org.jspecify.annotations.NullMarked;
