/**
 * The life of one lease as a deterministic machine: signals and the time go in, effects come out. No I/O, no threads, no
 * clock of its own.
 */
@NullMarked
package io.tenure.internal.machine;

import org.jspecify.annotations.NullMarked;
