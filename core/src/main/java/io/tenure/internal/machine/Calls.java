package io.tenure.internal.machine;

/**
 * The numbers of a lease's calls to the store. At most one call is current, and at most one more has been abandoned and
 * not come to its end: a client that hangs is not given a third.
 */
final class Calls {
  private int last;
  private int current;
  private int abandoned;
  private long sentAt;
  private long bound;

  int begin(long now, long span) {
    current = ++last;
    sentAt = now;
    bound = now + span;
    return current;
  }

  boolean isCurrent(int call) {
    return call == current && call != 0;
  }

  boolean isUnderWay() {
    return current != 0;
  }

  int current() {
    return current;
  }

  int drawn() {
    return last;
  }

  long sentAt() {
    return sentAt;
  }

  /** When the current call is given up; never, once it is kept for want of a free place. */
  long bound() {
    return bound;
  }

  void done() {
    current = 0;
  }

  boolean canAbandon() {
    return abandoned == 0;
  }

  int abandon() {
    abandoned = current;
    current = 0;
    return abandoned;
  }

  /** Keeps awaiting the current call past its bound. */
  void keep() {
    bound = Long.MAX_VALUE;
  }

  void over(int call) {
    if (abandoned == call) {
      abandoned = 0;
    }
  }
}
