package io.tenure.redis.jedis;

import java.time.Duration;

/**
 * How much of a client a port may use.
 *
 * @param patience the client's socket time-out, and how long a call waits for a connection
 * @param most how many threads it has for one server at most
 * @param queued how many calls wait for each kind of thread
 * @param idle after how long without a call a thread ends
 * @param silence how long no push may come before the server is asked whether it is there
 */
record JedisLimits(Duration patience, int most, int queued, Duration idle, Duration silence) {
    private static final int MOST = 16;
    private static final int QUEUED = 10_000;
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration SILENCE = Duration.ofSeconds(10);
    /** One that hangs on a dead connection leaves another for the renewal that follows. */
    private static final int LEAST_URGENT = 2;
    /** Those, one for everything else, and the connection of the pushes. */
    private static final int LEAST_CONNECTIONS = LEAST_URGENT + 2;

    static JedisLimits of(Duration patience) {
        return new JedisLimits(patience, MOST, QUEUED, IDLE, SILENCE);
    }

    /** The threads of one server: for what keeps leases alive, and for the rest. */
    record Share(JedisLane.Limits urgent, JedisLane.Limits others) {}

    /**
     * No more threads than connections, less the one for pushes.
     *
     * @throws IllegalArgumentException when the pool is too small
     */
    Share share(String server, int connections) {
        if (connections >= 0 && connections < LEAST_CONNECTIONS) {
            throw new IllegalArgumentException("The pool of the Jedis client to " + server + " has " + connections
                    + " connections at most (maxTotal): leases need at least " + LEAST_CONNECTIONS
                    + ", two for renewals, one for all else, and one for pushes");
        }
        int threads = connections < 0 ? most : Math.min(most, connections - 1);
        int urgent = Math.max(LEAST_URGENT, threads / 4);
        return new Share(
                new JedisLane.Limits(urgent, queued, idle),
                new JedisLane.Limits(Math.max(1, threads - urgent), queued, idle));
    }
}
