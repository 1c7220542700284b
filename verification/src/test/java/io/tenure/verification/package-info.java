/** The rules of the code that no compiler knows, and tests that show each rule refusing what breaks it. */
@NullMarked
package io.tenure.verification;

import org.jspecify.annotations.NullMarked;
