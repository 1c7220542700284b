package io.tenure.redis.lettuce;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A client that was made here, with its threads and connections, and goes when its port is closed. */
final class LettuceOwnClient {
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(1);

    private final AbstractRedisClient client;
    private final ClientResources resources;
    private final LettuceConnections connections = new LettuceConnections();

    LettuceOwnClient(AbstractRedisClient client, ClientResources resources) {
        this.client = client;
        this.resources = resources;
        client.addListener(connections);
    }

    /**
     * What {@code opening} makes, or its failure, by which the client goes too.
     *
     * @param server for messages
     * @param timeout how long the server had for its answer
     */
    LettucePort open(String server, Duration timeout, Supplier<LettucePort> opening) {
        boolean connected = false;
        try {
            LettucePort port = opening.get();
            connected = true;
            return port;
        } catch (RuntimeException e) {
            String within = timeout.toMillis() + " ms, which the parameter timeout of the URL sets";
            throw LettuceFailures.unreachable(server, within, e);
        } finally {
            if (!connected) {
                shutDown();
            }
        }
    }

    /** Connections that are closing are waited for: Lettuce would close them once more, and warn in its log that they are. */
    void shutDown() {
        try {
            connections.awaitNone(CLOSE_WAIT);
            client.shutdownAsync(0, 2, TimeUnit.SECONDS).get(3, TimeUnit.SECONDS);
            Future<Boolean> stopped = resources.shutdown(0, 2, TimeUnit.SECONDS);
            stopped.get(3, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // All is asked for, and goes on in the background; only this wait ends.
            client.shutdownAsync(0, 2, TimeUnit.SECONDS);
            resources.shutdown(0, 2, TimeUnit.SECONDS);
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            resources.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }
}
