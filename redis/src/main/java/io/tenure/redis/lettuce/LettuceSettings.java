package io.tenure.redis.lettuce;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The settings of clients of our own: what leases need. */
final class LettuceSettings {
    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** Looking for owners of slots waits for every node that does not answer. */
    private static final Duration NODE_CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration LEAST_RECONNECT_DELAY = Duration.ofMillis(5);
    private static final Duration MOST_RECONNECT_DELAY = Duration.ofSeconds(1);
    /** Finds what costs nothing to find late: replicas, and owners of slots that nobody here uses. */
    private static final Duration REFRESH_PERIOD = Duration.ofSeconds(30);

    private LettuceSettings() {}

    static ClientResources resources() {
        // Two is the least that Lettuce accepts, and leases are little work.
        return DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(reconnectDelay())
                .build();
    }

    /**
     * Up to a second, at random: waiters learn of releases again soon after a server is back, and many processes do not
     * come in step. Lettuce's own goes up to half a minute, which is longer than most leases last.
     */
    static Delay reconnectDelay() {
        return Delay.fullJitter(LEAST_RECONNECT_DELAY, MOST_RECONNECT_DELAY, 20, TimeUnit.MILLISECONDS);
    }

    static ClientOptions options() {
        return set(ClientOptions.builder(), CONNECT_TIMEOUT).build();
    }

    static ClusterClientOptions clusterOptions() {
        ClusterClientOptions.Builder options = ClusterClientOptions.builder();
        set(options, NODE_CONNECT_TIMEOUT);
        return options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH_PERIOD)
                        .build())
                .build();
    }

    private static ClientOptions.Builder set(ClientOptions.Builder options, Duration connectTimeout) {
        SocketOptions.Builder socket = SocketOptions.builder().connectTimeout(connectTimeout);
        LettuceKeepAlive.set(socket);
        options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled())
                .socketOptions(socket.build());
        try {
            LettuceMaintenance.ignore(options);
        } catch (NoClassDefFoundError e) {
            // Lettuce 6 has no such notices to ignore.
            return options;
        }
        return options;
    }
}
