package io.tenure;

/**
 * Receives what happens to leases, in the order in which it happened, on one thread of its own, never two at a time. A slow
 * observer loses the oldest of more than 8,192 events ({@link TenureEvent.EventsDropped}), and costs no lease. What it throws
 * goes to its thread's uncaught exception handler, and the next event is delivered all the same.
 */
@FunctionalInterface
public interface TenureObserver {
    /**
     * Takes one event. May call whatever it likes: from here, what would have to wait for this very call to return does not
     * wait ({@link Tenure#close()}, {@link Candidacy#close()}).
     */
    void onEvent(TenureEvent event);
}
