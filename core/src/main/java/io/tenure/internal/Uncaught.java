package io.tenure.internal;

/** What becomes of a failure that has nobody to go to. */
final class Uncaught {
    private Uncaught() {}

    /**
     * Hands {@code failure} to whoever watches this thread's failures, and goes on. What that handler throws is ignored, as
     * the virtual machine does: leases depend on what comes next here.
     */
    static void report(Throwable failure) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (RuntimeException | Error ignored) {
            return;
        }
    }
}
