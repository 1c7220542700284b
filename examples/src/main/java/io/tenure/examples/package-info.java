/** Programs to copy from. Each is small, and each is run by a test against a real server. */
@NullMarked
package io.tenure.examples;

import org.jspecify.annotations.NullMarked;
