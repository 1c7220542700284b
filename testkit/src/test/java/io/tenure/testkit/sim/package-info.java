@NullMarked
package io.tenure.testkit.sim;

import org.jspecify.annotations.NullMarked;
