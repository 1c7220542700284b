package io.tenure.redis;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * What replicas are asked for before something counts as done: that some of them have it, as {@code WAIT} tells, within a
 * time. Immutable.
 *
 * @param replicas how many; 1 or more
 * @param timeout how long they are waited for; from 1 ms to {@link #MAX_TIMEOUT}, fractions of a millisecond truncated
 */
public record Acknowledgement(int replicas, Duration timeout) {
    /** The longest time: 450 ms. An attempt to acquire has a second, and may have to let another one's wait end first. */
    public static final Duration MAX_TIMEOUT = Duration.ofMillis(450);

    /** @throws IllegalArgumentException when a value is out of its range */
    public Acknowledgement {
        if (replicas < 1) {
            throw new IllegalArgumentException("minReplicas is " + replicas
                    + ": it has to be 1 or more. Leave it out when no replica is to be waited for");
        }
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "The timeout of minReplicas is " + timeout
                            + ": it has to be from 1 ms to " + MAX_TIMEOUT.toMillis()
                            + " ms, since an attempt to acquire has a second in all, and may have to let another one's wait end first");
        }
        timeout = timeout.truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * Returns this.
     *
     * @throws IllegalArgumentException when the client gives up before the time is over
     */
    Acknowledgement requireWithin(RedisPort port) {
        if (timeout.compareTo(port.timeout()) >= 0) {
            throw new IllegalArgumentException("The timeout of minReplicas is " + timeout.toMillis()
                    + " ms, and the command time-out of the client of " + port + " is "
                    + port.timeout().toMillis() + " ms: replicas could not be waited for so long. Make the first one"
                    + " shorter than the second one");
        }
        return this;
    }

    /**
     * Above three times the timeout. The deadline of a lease counts from when its attempt was sent: with a shorter ttl, more
     * than a third of it could be over when the grant is told, and the first renewal would come late.
     */
    Duration shortestTtl() {
        return timeout.multipliedBy(3).plusMillis(1);
    }

    /**
     * What came of it.
     *
     * @param reply what the script answered
     * @param replicas how many had it when the wait was over
     */
    public record Outcome(RedisReply reply, int replicas) {}
}
