package io.tenure.redis;

import java.time.Duration;

/** What is asked of every port, whoever made it. */
final class Ports {
    private static final Duration LEAST = Duration.ofMillis(1);

    private Ports() {}

    /**
     * Returns {@code port}.
     *
     * @throws IllegalArgumentException when writes that block could not wait as long as it says
     */
    static RedisPort requireTimeout(RedisPort port) {
        Duration timeout = port.timeout();
        if (timeout.compareTo(LEAST) < 0 || timeout.compareTo(RedisPort.MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("The command time-out of the client of " + port + " is " + timeout
                    + ": fenced writes block for it, so it has to be from 1 ms to " + RedisPort.MAX_TIMEOUT.toDays()
                    + " day. Set it on the client");
        }
        return port;
    }
}
