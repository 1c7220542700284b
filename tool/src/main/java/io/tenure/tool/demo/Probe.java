package io.tenure.tool.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** The demo's own eyes: looks directly at the server, past the library that is being shown. */
public interface Probe extends AutoCloseable {
    /** How long the server may take for an answer. */
    Duration BOUND = Duration.ofSeconds(5);

    /** How often to look when something is about to happen. */
    Duration LOOK_EVERY = Duration.ofMillis(1);

    /** How long before an expiry the close looking starts, in milliseconds. */
    long CLOSE = 100;

    /** What the server says that it is. */
    String version() throws StepFailed;

    /** Makes what contenders take for granted. */
    void prepare() throws StepFailed;

    /** The lease {@code name} at this moment. */
    Sighting lease(String name) throws StepFailed;

    /** Whether anybody stands in line for {@code name}. */
    boolean hasWaiter(String name) throws StepFailed;

    /** What the leaders' writes left, in the order of {@link Backend#ways}; "nothing" where there were none. */
    List<String> stored() throws StepFailed;

    /** Deletes all that came into being under the demo's names. */
    void delete() throws StepFailed;

    @Override
    void close();

    /**
     * Waits until somebody has {@code name} by another claim than {@code earlier}; looks every millisecond around the
     * expiry.
     *
     * @throws StepFailed when nobody had it {@code bound} after the expiry
     */
    default Sighting awaitOther(String name, Sighting earlier, Duration bound) throws StepFailed, InterruptedException {
        Sighting seen = lease(name);
        Thread.sleep(Math.max(0, earlier.expiry() - CLOSE - seen.micros() / 1000));
        while (!seen.isHeldOtherwiseThan(earlier)) {
            if (seen.after(earlier) > bound.toMillis()) {
                throw new StepFailed(String.format(
                        Locale.ROOT,
                        "Waited until %d s after the lease's expiry for another leader, in vain",
                        bound.toSeconds()));
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
            seen = lease(name);
        }
        return seen;
    }

    /** Waits until one waiter of {@code name} stands in line. */
    default void awaitWaiter(String name, Duration bound) throws StepFailed {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!hasWaiter(name)) {
            if (System.nanoTime() > deadline) {
                throw new StepFailed(
                        "Waited " + bound.toSeconds() + " s for a waiter to stand in line for the lock, in vain");
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }
}
