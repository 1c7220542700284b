/** Scenarios in which subjects take turns, and what is made of the figures. */
@NullMarked
package io.tenure.benchmarks;

import org.jspecify.annotations.NullMarked;
