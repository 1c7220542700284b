package io.tenure.redis;

/** What new tokens are counted from, besides the highest one known. */
public enum TokenSource {
  /**
   * The server's clock, in microseconds. Tokens keep rising when the server has lost its data (a flush, an eviction, a
   * crash without persistence), unless its clock was set back meanwhile.
   */
  SERVER_CLOCK,
  /**
   * Nothing: 1, 2, 3... After a loss of data tokens are only as high as a live contender remembers, so counters and
   * marks never expire.
   */
  COUNTER
}
