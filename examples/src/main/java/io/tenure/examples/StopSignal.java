package io.tenure.examples;

import java.time.Duration;

/** What a program does about SIGTERM and Ctrl-C, so that it leaves by its own {@code finally} blocks. */
final class StopSignal {
    private StopSignal() {}

    /**
     * From now on a stop signal interrupts {@code main}, and the JVM waits until that thread has ended, at most for
     * {@code patience}. Without the wait the process would be gone before its lease is released, and a successor would
     * have to wait for the lease to expire. The thread must not call {@code System.exit}, which would wait for itself.
     *
     * @param patience more than the drain timeout of the leader's work plus 2 s for the release, and less than what
     *     follows a stop signal with a kill (30 s on Kubernetes, 90 s with systemd)
     */
    static void interrupts(Thread main, Duration patience) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(main, patience), "stop-signal"));
    }

    private static void stop(Thread main, Duration patience) {
        main.interrupt();
        try {
            main.join(patience.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever does that wants the process gone
        }
    }
}
