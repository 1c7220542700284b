package io.tenure.memory;

/** What a store counts a new token up from. */
public enum TokenSource {
  /**
   * The highest of everything that is known and the store's clock in microseconds, so that tokens keep rising when the
   * store has lost its data. The default.
   */
  CLOCK,
  /**
   * Everything that is known, without the clock: 1, 2, 3 and so on. After a loss of data tokens are only as high as a
   * live contender remembers, which is why counters are then kept for ever.
   */
  COUNTER
}
